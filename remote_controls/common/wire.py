"""A byte pipe as plugins use it: with deadlines, and with back-off for reconnecting."""

from __future__ import annotations

import time
from collections.abc import Callable

from hal.link.errors import ConnectionLost
from hal.link.pipe import Clock, Pipe
from hal.link.transports import connect_bytes, pin
from hal.link.url import Url, parse_url

__all__ = ["BackOff", "Wire", "address"]

MOST = 1 << 16
"""Most bytes that one `read` returns: a robot that sends without end must not delay a step."""


def address(arg: str, baud: int) -> Url:
    """The URL in a plugin's argument.

    Args:
        arg: a URL, or just a serial port, as Webots' own plugins take it.
        baud: of serial ports whose URL has none.

    Raises:
        AddressError: it is none.
    """
    url = parse_url(arg if "://" in arg or not arg else f"serial://{arg}")
    if url.scheme == "serial":
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
        """Send some bytes.

        Raises:
            ConnectionLost: the other end is gone.
        """
        if data:
            self._pipe.send(data)

    def read(self, end: float) -> bytes:
        """The bytes received; waits until `end` (of the clock, in s), then returns b"".

        Raises:
            ConnectionLost: the other end is gone.
        """
        data = self._pipe.receive(max(end - self.clock(), 0.0)) or b""
        while data and len(data) < MOST and (more := self._pipe.receive(0.0)):
            data += more
        return data

    def ask(
        self, question: bytes, find: Callable[[bytes], bytes | None], end: float, again: float = 0.5
    ) -> bytes:
        """Repeat a question until its answer comes.

        Args:
            question: the bytes of it.
            find: the answer in what has come so far, None while there is none.
            end: when to give up, in s of the clock.
            again: seconds between repetitions.

        Raises:
            ConnectionLost: there was no answer.
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

    def close(self) -> None:
        """End the connection."""
        self._pipe.close()


class BackOff:
    """When to try again: soon at first, then at longer intervals."""

    FIRST, LONGEST = 0.1, 3.0

    def __init__(self) -> None:
        self._wait, self._next = self.FIRST, 0.0

    def due(self, now: float) -> bool:
        """Whether it is time, in s of any clock."""
        return now >= self._next

    def failed(self, now: float) -> None:
        """An attempt has failed."""
        self._next = now + self._wait
        self._wait = min(2 * self._wait, self.LONGEST)

    def reset(self) -> None:
        """An attempt has succeeded."""
        self._wait, self._next = self.FIRST, 0.0
