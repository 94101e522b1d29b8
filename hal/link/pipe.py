"""Connections of the robot link: pipes carry bytes or messages; listeners accept pipes."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple, Protocol

from wbridge.hal.link.errors import ConnectionLost, MessageError
from wbridge.hal.link.framing import FRAMINGS

__all__ = ["Clock", "FramedPipe", "Listener", "Pipe", "Sender", "VirtualClock"]

MOST_LATE = 1 << 18
"""Bytes without a whole message that are taken at the end of the time for one."""
Clock = Callable[[], float]
"""Seconds since an arbitrary moment; monotonic."""


class Pipe(Protocol):
    """A two-way connection. A message pipe preserves message boundaries; a byte pipe need not."""

    retry: float
    """Seconds without an answer after which a message is worth repeating."""

    def send(self, data: bytes) -> None:
        """Send some bytes, or one message.

        Raises:
            ConnectionLost: the other end is gone.
        """

    def receive(self, timeout: float) -> bytes | None:
        """Receive bytes or a message.

        Args:
            timeout: how long to wait, in s; 0: return at once.

        Returns:
            At least one byte; None if nothing arrived in time.

        Raises:
            ConnectionLost: the other end is gone.
        """

    def fileno(self) -> int:
        """A file descriptor that is readable when data may be waiting; -1: there is none."""

    def close(self) -> None:
        """End the connection; further calls do nothing."""


class Sender(NamedTuple):
    """One of several controllers that share a pipe, for example by topics of a broker.

    Such a pipe has an attribute `sender`: the origin of the last message received, to which answers go.
    """

    pipe: Pipe
    key: str


class Listener(Protocol):
    """Accepts controllers at the robot's end."""

    url: str
    """Where it listens, including what the system has chosen (for example the port)."""

    def accept(self) -> Pipe | None:
        """The message pipe of a controller that has just connected; None if there is none."""

    def fileno(self) -> int:
        """A file descriptor that is readable when a controller may be waiting; -1: there is none."""

    def close(self) -> None:
        """Stop listening; accepted pipes stay open."""


class VirtualClock:
    """A clock that advances only when something waits, for tests and lockstep."""

    def __init__(self) -> None:
        self.now = 0.0
        """In s."""

    def __call__(self) -> float:
        return self.now


class FramedPipe:
    """A message pipe over a byte pipe."""

    def __init__(self, pipe: Pipe, framing: str, clock: Clock = time.monotonic) -> None:
        """
        Args:
            pipe: carries the bytes.
            framing: a name in `wbridge.hal.link.framing.FRAMINGS`.
            clock: used for timeouts.
        """
        self.pipe, self.clock, self.retry = pipe, clock, pipe.retry
        self._frame, make_decoder = FRAMINGS[framing]
        self._decoder = make_decoder()
        self._waiting: deque[bytes] = deque()

    def send(self, data: bytes) -> None:
        """Send one message."""
        self.pipe.send(self._frame(data))

    def receive(self, timeout: float) -> bytes | None:
        """The next message."""
        end, late = self.clock() + timeout, 0
        while not self._waiting:
            data = self.pipe.receive(max(end - self.clock(), 0.0))
            if self.clock() >= end:
                # What has arrived already may be the rest of a message; noise may arrive for ever.
                late += len(data or b"")
                if data is None or late > MOST_LATE:
                    return None
            if data is None:
                continue
            try:
                self._waiting += self._decoder.feed(data)
            except MessageError as error:
                self.close()
                raise ConnectionLost(f"the other end does not speak the robot link: {error}") from None
        return self._waiting.popleft()

    def fileno(self) -> int:
        """Of the byte pipe."""
        return self.pipe.fileno()

    def close(self) -> None:
        """End the connection."""
        self.pipe.close()
