"""A window of the benchmarks: subscribes to a robot or not, as commanded line by line ("on", "off").

It takes news as it comes and reads it, as a browser's network does; a browser draws in processes of its own.
"""

from __future__ import annotations

import json
import select
import socket
import sys
from urllib.parse import urlsplit

from websockets.client import ClientProtocol
from websockets.frames import Frame
from websockets.uri import parse_uri

CHUNK = 1 << 16
SEEN_AT_ONCE = 6
"""News of which a page says at once that it has seen them."""


def look(url: str) -> None:
    """Be connected from each "on" to the next line."""
    while line := sys.stdin.readline():
        if line.strip() == "on":
            _watch(url)


def _watch(url: str) -> None:
    address = urlsplit(url)
    protocol = ClientProtocol(parse_uri(url))
    with socket.create_connection((address.hostname or "", address.port or 0)) as connection:
        protocol.send_request(protocol.connect())
        _flush(protocol, connection)
        has_asked, seen = False, 0
        while sys.stdin not in select.select([connection, sys.stdin], [], [])[0]:
            data = connection.recv(CHUNK)
            if not data:
                break  # the run is over
            protocol.receive_data(data)
            for event in protocol.events_received():
                if isinstance(event, Frame):
                    json.loads(event.data)
                    seen += 1
                    if seen == SEEN_AT_ONCE:
                        protocol.send_text(json.dumps({"do": "seen", "news": seen}).encode())
                        seen = 0
                elif not has_asked:  # the answer to the request: the connection is open
                    has_asked = True
                    protocol.send_text(json.dumps({"do": "watch", "robot": 0}).encode())
            _flush(protocol, connection)
        protocol.send_close()
        _flush(protocol, connection)
        sys.stdin.readline()


def _flush(protocol: ClientProtocol, connection: socket.socket) -> None:
    for data in protocol.data_to_send():
        if data:
            connection.sendall(data)


if __name__ == "__main__":
    look(sys.argv[1])
