"""Connections of the robot link: pipes carry bytes or whole messages; listeners wait for pipes."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple, Protocol

from hal.link.errors import ConnectionLost, MessageError
from hal.link.framing import FRAMINGS

__all__ = ["Clock", "FramedPipe", "Listener", "Pipe", "Sender", "VirtualClock"]

Clock = Callable[[], float]
"""Seconds from any moment, never going back."""


class Pipe(Protocol):
    """A connection in both directions. A message pipe keeps messages apart, a byte pipe need not."""

    retry: float
    """After how many seconds an answer is so late that the question is worth being repeated."""

    def send(self, data: bytes) -> None:
        """Send some bytes, or one message.

        Raises:
            ConnectionLost: the other end is gone.
        """

    def receive(self, timeout: float) -> bytes | None:
        """The next bytes or the next message.

        Args:
            timeout: how long to wait for it, in s; 0: not at all.

        Returns:
            At least one byte; None when nothing came in time.

        Raises:
            ConnectionLost: the other end is gone.
        """

    def fileno(self) -> int:
        """A file descriptor that is readable when there may be something to receive; -1: there is none."""

    def close(self) -> None:
        """End the connection; more than once does no harm."""


class Sender(NamedTuple):
    """One of several controllers that share a pipe, as the topics of a broker do.

    Such a pipe has an attribute `sender`: who sent the message that was received last. Answers go there.
    """

    pipe: Pipe
    key: str


class Listener(Protocol):
    """Waits for controllers at a robot's end."""

    url: str
    """Where it listens, complete with what the system has chosen (for example the port)."""

    def accept(self) -> Pipe | None:
        """The message pipe of a controller that has just connected; None when there is none."""

    def fileno(self) -> int:
        """A file descriptor that is readable when there may be somebody; -1: there is none."""

    def close(self) -> None:
        """End listening; pipes that were accepted stay."""


class VirtualClock:
    """A clock that goes on only when somebody waits, for tests and lockstep."""

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
            framing: a name in `hal.link.framing.FRAMINGS`.
            clock: the one by which the pipe waits.
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
        end = self.clock() + timeout
        while not self._waiting:
            data = self.pipe.receive(max(end - self.clock(), 0.0))
            if data is None:
                if self.clock() >= end:
                    return None
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
