"""Connections that carry packets between a controller and its simulator."""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Protocol

from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.low_latency import LowLatencyReceiver
from wbridge.hal.protocol.packet import AWAKEN_SIMULATOR, Answer, AnswerReader
from wbridge.hal.protocol.shared_memory import SharedChannel
from wbridge.hal.reports import messages

if TYPE_CHECKING:
    from collections.abc import Callable
    from socket import socket

CHUNK = 1 << 14


class ConnectionLost(ConnectionError):
    """The simulator has closed the connection."""


class Connection(Protocol):
    """A connection that sends requests and receives answers."""

    def send(self, packet: bytes) -> None:
        """Send a complete request."""

    def receive(self) -> Answer | bytes:
        """Wait for the next answer.

        Returns:
            The answer, or the unparsed packet of a local connection.

        Raises:
            ConnectionLost: the connection is closed.
            ProtocolError: the bytes are not a valid answer.
        """

    def close(self) -> None:
        """Close the connection."""


class SocketConnection:
    """A connection over a socket."""

    def __init__(self, socket_: socket, tcp: bool, memory: int | None = None) -> None:
        """
        Args:
            socket_: connected, after the handshake.
            tcp: answers arrive in chunks, as over TCP.
            memory: file of memory shared with the simulator; closed here.
        """
        self._socket = socket_
        self._channel = SharedChannel(memory, socket_, self._wake) if memory is not None else None
        receiver = self._channel or LowLatencyReceiver(socket_, CHUNK)
        self._receive: Callable[[], bytes] = receiver.receive
        self._reader = AnswerReader(tcp)
        self._waiting: deque[Answer] = deque()

    def send(self, packet: bytes) -> None:
        """Send a complete request."""
        channel = self._channel
        try:
            if channel is not None:
                if channel.write(packet):
                    return
                channel.sent += len(packet)
            self._socket.sendall(packet)
        except OSError as error:
            raise ConnectionLost(str(error)) from None

    def _wake(self) -> None:
        """Wake a simulator that began to block while a packet was written to memory."""
        assert self._channel is not None
        self._channel.sent += len(AWAKEN_SIMULATOR)
        self._socket.sendall(AWAKEN_SIMULATOR)

    def receive(self) -> Answer | bytes:
        """Wait for the next answer."""
        while not self._waiting:
            try:
                data = self._receive()
            except InterruptedError:
                continue
            except OSError as error:
                raise ConnectionLost(str(error)) from None
            if not data:
                raise ConnectionLost(messages.closed_connection())
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
        """True if `receive` can return an answer without waiting."""
        return bool(self._waiting) or (self._channel is not None and self._channel.has_packet)

    def fileno(self) -> int:
        """The file descriptor, which is readable when data has arrived later than this call.

        From now on the simulator answers through the socket; check `has_waiting` before waiting for it.
        """
        if self._channel is not None:
            self._channel.fall_asleep()
        return self._socket.fileno()

    def close(self) -> None:
        """Close the connection."""
        if self._channel is not None:
            channel, self._channel = self._channel, None
            self._receive = partial(self._socket.recv, CHUNK)
            channel.close()
        self._socket.close()
