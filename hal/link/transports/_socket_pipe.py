"""A byte pipe over a connected socket."""

from __future__ import annotations

import socket
import time

from wbridge.hal.link.errors import ConnectionLost
from wbridge.hal.ready import readable, writable

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
        connection.setblocking(False)  # with a time-out, Python would wait before each call
        if connection.family in (socket.AF_INET, socket.AF_INET6):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, data: bytes) -> None:
        """Send some bytes."""
        try:
            sent = self._send_some(data)
            if sent < len(data):
                self._send_rest(memoryview(data)[sent:])
        except (OSError, ValueError) as error:
            raise ConnectionLost(f"the connection was lost: {error}") from None

    def _send_some(self, data: bytes | memoryview) -> int:
        """Send what the system takes at once; the number of bytes."""
        try:
            return self._socket.send(data)
        except BlockingIOError:
            return 0

    def _send_rest(self, data: memoryview) -> None:
        """Send bytes as the peer reads, which has some time for all.

        Raises:
            TimeoutError: it does not read.
        """
        end = time.monotonic() + self.patience
        while data:
            if not writable([self._socket], max(end - time.monotonic(), 0.0)):
                raise TimeoutError("timed out")
            data = data[self._send_some(data) :]

    def receive(self, timeout: float) -> bytes | None:
        """The next bytes."""
        try:
            if not readable([self._socket], timeout):
                return None
            data = self._socket.recv(CHUNK)
        except BlockingIOError:
            return None
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
