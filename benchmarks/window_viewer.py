"""A window of the benchmarks: looks at a robot, or not, as it is told line by line ("on", "off")."""

from __future__ import annotations

import json
import sys

from websockets.sync.client import connect


def look(url: str) -> None:
    """Connect for each "on" until the next line."""
    for line in sys.stdin:
        if line.strip() != "on":
            continue
        with connect(url, compression=None) as socket:
            socket.send(json.dumps({"do": "watch", "robot": 0}))
            sys.stdin.readline()


if __name__ == "__main__":
    look(sys.argv[1])
