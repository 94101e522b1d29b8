"""A byte pipe for plugins: with deadlines, and with back-off for reconnecting."""

from __future__ import annotations

import time
from collections.abc import Callable

from wbridge.hal.link.errors import ConnectionLost
from wbridge.hal.link.pipe import Clock, Pipe
from wbridge.hal.link.transports import connect_bytes, pin
from wbridge.hal.link.url import Url, parse_url
from wbridge.remote_controls.common.watchdog import StepWatchdog, Watchdog

LINES = ("serial", "page")
"""Transports with a speed."""
MOST = 1 << 16
"""Maximum bytes per `read`: a robot that sends endlessly must not delay a step."""


def address(arg: str, baud: int) -> Url:
    """Return the URL in a plugin's argument.

    Args:
        arg: a URL, or just a serial port, as in Webots' own plugins.
        baud: speed of serial lines whose URL sets none.

    Raises:
        AddressError: the argument is not an address.
    """
    url = parse_url(arg if "://" in arg or not arg else f"serial://{arg}")
    if url.scheme in LINES:
        url = url._replace(options={"baud": str(baud), **url.options})
    return pin(url)


class Wire:
    """An open byte pipe to a robot."""

    def __init__(self, pipe: Pipe, clock: Clock = time.monotonic) -> None:
        self._pipe, self.clock = pipe, clock

    @classmethod
    def to(cls, url: Url) -> Wire:
        """Open the pipe to a URL.

        Raises:
            LinkError: it cannot be opened.
        """
        return cls(connect_bytes(url))

    def send(self, data: bytes) -> None:
        """Send bytes.

        Raises:
            ConnectionLost: the other end has closed.
        """
        if data:
            self._pipe.send(data)

    def read(self, end: float) -> bytes:
        """Return received bytes; wait until `end` (of the clock, in s), then return b"".

        Raises:
            ConnectionLost: the other end has closed.
        """
        data = self._pipe.receive(max(end - self.clock(), 0.0)) or b""
        while data and len(data) < MOST and (more := self._pipe.receive(0.0)):
            data += more
        return data

    def ask(
        self, question: bytes, find: Callable[[bytes], bytes | None], end: float, again: float = 0.5
    ) -> bytes:
        """Repeat a query until its answer arrives.

        Args:
            question: the bytes of the query.
            find: returns the answer in the received bytes, or None.
            end: the deadline, in s of the clock.
            again: seconds between repetitions.

        Raises:
            ConnectionLost: no answer arrived.
        """
        heard = b""
        while (now := self.clock()) < end:
            self.send(question)
            until = min(now + again, end)
            while self.clock() < until:
                heard = (heard + self.read(until))[-MOST:]
                if (answer := find(heard)) is not None:
                    return answer
        raise ConnectionLost(f"no answer to {question.strip(bytes(1))!r}")

    def watchdog(self, act: Callable[[], None], halt: Callable[[], bytes]) -> StepWatchdog:
        """Return a watchdog on the controller's side: that of the pipe, if it has one, else a thread.

        Args:
            act: called when the watchdog has expired.
            halt: returns the bytes that stop the robot, for a pipe that sends them by itself.
        """
        make: Callable[..., StepWatchdog] | None = getattr(self._pipe, "watchdog", None)
        return Watchdog(act) if make is None else make(act, halt())

    def close(self) -> None:
        """End the connection."""
        self._pipe.close()


class BackOff:
    """Schedules retries: soon at first, then at longer intervals."""

    FIRST, LONGEST = 0.1, 3.0

    def __init__(self) -> None:
        self._wait, self._next = self.FIRST, 0.0

    def due(self, now: float) -> bool:
        """Return True if a retry is due at this time (s of any clock)."""
        return now >= self._next

    def failed(self, now: float) -> None:
        """Record a failed attempt."""
        self._next = now + self._wait
        self._wait = min(2 * self._wait, self.LONGEST)

    def reset(self) -> None:
        """Record a successful attempt."""
        self._wait, self._next = self.FIRST, 0.0
