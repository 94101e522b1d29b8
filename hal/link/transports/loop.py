"""A robot in the same program: `loop://NAME`. Messages arrive at once; no thread, no real wire."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from wbridge.hal.link.errors import AddressError, ConnectionLost
from wbridge.hal.link.pipe import Clock, Pipe, VirtualClock
from wbridge.hal.link.url import Url
from wbridge.hal.table import DeviceTable

FORM = "loop://NAME"
_listeners: dict[str, LoopListener] = {}


class LoopPipe:
    """One end of a connection inside the program.

    Whoever waits lets the other side work meanwhile: that is what `serve` is for. With a virtual clock,
    waiting takes no time but moves the clock.
    """

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self.retry = 0.05
        self.other: LoopPipe | None = None
        """The other end."""
        self.serve: Callable[[], None] | None = None
        """Lets the other side work."""
        self._clock = clock
        self._waiting: deque[bytes] = deque()

    @classmethod
    def pair(cls, clock: Clock = time.monotonic) -> tuple[LoopPipe, LoopPipe]:
        """Both ends of a new connection."""
        end, other = cls(clock), cls(clock)
        end.other, other.other = other, end
        return end, other

    def send(self, data: bytes) -> None:
        """Send some bytes."""
        if self.other is None:
            raise ConnectionLost("the other end is closed")
        self.other._waiting.append(bytes(data))

    def receive(self, timeout: float) -> bytes | None:
        """The next bytes."""
        if not self._waiting and self.serve is not None:
            self.serve()
        if not self._waiting and self.other is None:
            raise ConnectionLost("the other end is closed")
        if not self._waiting and timeout > 0:
            self._pass_time(timeout)
            if self.serve is not None:
                self.serve()
        return self._waiting.popleft() if self._waiting else None

    def _pass_time(self, timeout: float) -> None:
        if isinstance(self._clock, VirtualClock):
            self._clock.now += timeout
            return
        end = self._clock() + timeout
        while not self._waiting and self._clock() < end:
            time.sleep(0.0002)  # the other end may be in another thread
            if self.serve is not None:
                self.serve()

    def fileno(self) -> int:
        """There is none."""
        return -1

    def close(self) -> None:
        """End the connection."""
        if self.other is not None:
            self.other.other, self.other = None, None


class LoopListener:
    """The robot's end."""

    def __init__(self, name: str) -> None:
        self.url = f"loop://{name}"
        self.name = name
        self.serve: Callable[[], None] | None = None
        """What controllers in the same thread call while they wait; a `Server` sets it."""
        self._new: deque[Pipe] = deque()

    def join(self) -> LoopPipe:
        """A new controller comes; its end."""
        here, there = LoopPipe.pair()
        there.serve = self._work
        self._new.append(here)
        return there

    def _work(self) -> None:
        if self.serve is not None:
            self.serve()

    def accept(self) -> Pipe | None:
        """The pipe of a controller that has just connected."""
        return self._new.popleft() if self._new else None

    def fileno(self) -> int:
        """There is none."""
        return -1

    def close(self) -> None:
        """End listening."""
        if _listeners.get(self.name) is self:
            del _listeners[self.name]


def connect(url: Url) -> Pipe:
    """A pipe to the robot that listens by this name in this program."""
    url.read_options({})
    if url.host not in _listeners:
        raise ConnectionLost(f'no robot in this program listens at "{url.text}"')
    return _listeners[url.host].join()


def listen(url: Url, table: DeviceTable) -> LoopListener:
    """Listen by a name inside this program."""
    url.read_options({})
    if url.host in _listeners:
        raise AddressError(f"{url.text}: another robot in this program listens there")
    return _listeners.setdefault(url.host, LoopListener(url.host))
