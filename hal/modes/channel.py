"""How packets travel between a controller and its simulator."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Protocol

from hal.protocol.errors import ProtocolError
from hal.protocol.low_latency import LowLatencyReceiver
from hal.protocol.packet import Answer, AnswerReader

if TYPE_CHECKING:
    from socket import socket

__all__ = ["Channel", "ConnectionLost", "Lane", "SocketChannel"]

CHUNK = 1 << 14


class ConnectionLost(ConnectionError):
    """The simulator has closed the connection."""


class Lane(Protocol):
    """Makes steps for a controller inside of the simulator's process, without packets."""

    def step(self, duration: int, numbers: dict[int, float]) -> int:
        """Let time (ms) pass after commands with one number (see hal.modes.device.key_of_command).

        Returns:
            1: done, what is new was told, and the numbers are taken. 0: that is not possible now, nothing has
            happened. -1: the step has begun, the numbers are taken, and an answer will come by the channel.
        """


class Channel(Protocol):
    """A connection: requests go out, answers come in.

    One inside of the simulator's process may have an attribute `native`: an object with the classes
    NumberWriter and NumberReader of the simulator's engine, which do in native code what hal.protocol.shape
    does.
    """

    def send(self, packet: bytes) -> None:
        """Send a whole request."""

    def receive(self) -> Answer | bytes:
        """Wait for the next answer; it may be left as the whole packet of a local connection.

        Raises:
            ConnectionLost: none will come.
            ProtocolError: the bytes are no answer.
        """

    def close(self) -> None:
        """End the connection."""


class SocketChannel:
    """A connection by a socket."""

    def __init__(self, connection: socket, tcp: bool) -> None:
        """
        Args:
            connection: connected, and through the handshake.
            tcp: answers come in chunks, as over TCP.
        """
        self._socket = connection
        self._receive = LowLatencyReceiver(connection).receive
        self._reader = AnswerReader(tcp)
        self._waiting: deque[Answer] = deque()

    def send(self, packet: bytes) -> None:
        """Send a whole request."""
        try:
            self._socket.sendall(packet)
        except OSError as error:
            raise ConnectionLost(str(error)) from None

    def receive(self) -> Answer | bytes:
        """Wait for the next answer."""
        while not self._waiting:
            try:
                data = self._receive(CHUNK)
            except InterruptedError:
                continue
            except OSError as error:
                raise ConnectionLost(str(error)) from None
            if not data:
                raise ConnectionLost("the simulator has closed the connection")
            try:
                if self._reader.is_whole(data):
                    return data
                self._waiting += self._reader.feed(data)
            except ProtocolError:
                self.close()
                raise
        return self._waiting.popleft()

    @property
    def has_waiting(self) -> bool:
        """An answer has come that `receive` gives without waiting."""
        return bool(self._waiting)

    def fileno(self) -> int:
        """Can be read when more has come."""
        return self._socket.fileno()

    def close(self) -> None:
        """End the connection."""
        self._socket.close()
