"""A window of the benchmarks: looks at a robot, or not, as it is told line by line ("on", "off")."""

from __future__ import annotations

import json
import sys
from threading import Thread

from websockets.sync.client import ClientConnection, connect


def _read(socket: ClientConnection) -> None:
    for message in socket:
        json.loads(message)


def look(url: str) -> None:
    """Connect for each "on" until the next line."""
    for line in sys.stdin:
        if line.strip() != "on":
            continue
        with connect(url, compression=None) as socket:
            socket.send(json.dumps({"do": "watch", "robot": 0}))
            reader = Thread(target=_read, args=(socket,))
            reader.start()
            sys.stdin.readline()
        reader.join()


if __name__ == "__main__":
    look(sys.argv[1])
