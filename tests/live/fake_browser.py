"""The functions of a page's worker for a port, with a wire in its place."""

from __future__ import annotations

from collections import deque

from wbridge.hal.link.pipe import Pipe
from wbridge.hal.link.transports import connect_bytes
from wbridge.hal.ready import readable


class Bytes(bytes):
    """As JavaScript's bytes."""

    def to_bytes(self) -> bytes:  # type: ignore[override]
        return bytes(self)


class FakeBrowser:
    """The functions of the worker, with a wire in place of the page's port."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._pipe: Pipe | None = None
        self.speeds: list[int] = []
        self.calls: list[object] = []
        self.events: deque[str] = deque()
        self.problem = self.loss = ""
        self.is_shut = False

    def open(self, baud: int) -> str:
        self.speeds.append(baud)
        if not self.problem:
            self._pipe = connect_bytes(self._url)
        return self.problem

    def write(self, data: bytes) -> None:
        if self._pipe is not None and not self.is_shut:
            self._pipe.send(data)

    def take(self) -> Bytes | None:
        data = None if self._pipe is None else self._pipe.receive(0.0)
        return None if data is None else Bytes(data)

    def lost(self) -> str:
        return self.loss

    def wait(self, milliseconds: float) -> None:
        if self._pipe is not None:
            readable([self._pipe.fileno()], milliseconds / 1000)

    def event(self) -> str | None:
        return self.events.popleft() if self.events else None

    def guard(self, halt: bytes) -> None:
        self.calls.append(("guard", halt))

    def feed(self, milliseconds: float) -> None:
        self.calls.append(("feed", milliseconds))

    def signals(self, is_on: bool) -> None:
        self.calls.append(("signals", is_on))

    def pause(self, milliseconds: float) -> None:
        """No time passes."""

    def driving(self) -> None:
        self.calls.append("driving")

    def close(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
