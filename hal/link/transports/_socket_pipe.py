"""A byte pipe over a connected socket."""

from __future__ import annotations

import socket

from wbridge.hal.link.errors import ConnectionLost
from wbridge.hal.ready import readable

__all__ = ["CHUNK", "PATIENCE", "SocketPipe"]

CHUNK = 1 << 16
PATIENCE = 2.0
"""Seconds to wait for a connection, or for a peer that does not read."""


class SocketPipe:
    """A byte pipe over a connected socket."""

    retry = 0.1

    def __init__(self, connection: socket.socket, patience: float = PATIENCE) -> None:
        """
        Args:
            connection: to the other end.
            patience: longest time to wait for a peer that does not read, in s.
        """
        self._socket, self.patience = connection, patience
        if connection.family != socket.AF_UNIX:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, data: bytes) -> None:
        """Send some bytes."""
        try:
            self._socket.settimeout(self.patience)
            self._socket.sendall(data)
        except OSError as error:
            raise ConnectionLost(f"the connection was lost: {error}") from None

    def receive(self, timeout: float) -> bytes | None:
        """The next bytes."""
        try:
            if not readable([self._socket], timeout):
                return None
            data = self._socket.recv(CHUNK)
        except (OSError, ValueError) as error:
            raise ConnectionLost(f"the connection was lost: {error}") from None
        if not data:
            raise ConnectionLost("the other end has closed the connection")
        return data

    def fileno(self) -> int:
        """Of the socket."""
        return self._socket.fileno()

    def close(self) -> None:
        """End the connection."""
        self._socket.close()
