"""A window client for benchmarks: subscribes or disconnects, as commanded line by line ("on", "off").

It receives and decodes messages like a browser's network process; a browser draws in other processes.
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
ACKNOWLEDGED_AT_ONCE = 6
"""Number of messages that a page acknowledges at once."""


def run(url: str) -> None:
    """Stay connected from each "on" to the next line."""
    while line := sys.stdin.readline():
        if line.strip() == "on":
            _subscribe(url)


def _subscribe(url: str) -> None:
    address = urlsplit(url)
    protocol = ClientProtocol(parse_uri(url))
    with socket.create_connection((address.hostname or "", address.port or 0)) as connection:
        protocol.send_request(protocol.connect())
        _flush(protocol, connection)
        has_subscribed, seen = False, 0
        while sys.stdin not in select.select([connection, sys.stdin], [], [])[0]:
            data = connection.recv(CHUNK)
            if not data:
                break  # the run has ended
            protocol.receive_data(data)
            for event in protocol.events_received():
                if isinstance(event, Frame):
                    json.loads(event.data)
                    seen += 1
                    if seen == ACKNOWLEDGED_AT_ONCE:
                        protocol.send_text(json.dumps({"do": "seen", "news": seen}).encode())
                        seen = 0
                elif not has_subscribed:  # the handshake's response: the connection is open
                    has_subscribed = True
                    protocol.send_text(json.dumps({"do": "watch", "robots": [0]}).encode())
            _flush(protocol, connection)
        protocol.send_close()
        _flush(protocol, connection)
        sys.stdin.readline()


def _flush(protocol: ClientProtocol, connection: socket.socket) -> None:
    for data in protocol.data_to_send():
        if data:
            connection.sendall(data)


if __name__ == "__main__":
    run(sys.argv[1])
