"""Stops a robot whose controller has stopped stepping, for robots that have no watchdog themselves."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

__all__ = ["Watchdog"]


class Watchdog:
    """Calls a function, once, when nobody has fed it for too long; the next feeding arms it again."""

    def __init__(self, act: Callable[[], None]) -> None:
        self._act = act
        self._condition = threading.Condition()
        self._until: float | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)
        self._thread.start()

    def feed(self, seconds: float) -> None:
        """All is well, and will be for some seconds."""
        with self._condition:
            # The thread looks again by itself when its time is over: waking it each time would cost more.
            idle, self._until = self._until is None, time.monotonic() + seconds
            if idle:
                self._condition.notify()

    def rest(self) -> None:
        """Nothing is to be watched until the next feeding."""
        with self._condition:
            self._until = None

    def close(self) -> None:
        """End; more than once does no harm."""
        with self._condition:
            self._closed = True
            self._condition.notify()
        if self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self) -> None:
        while self._wait():
            self._act()

    def _wait(self) -> bool:
        """Wait for the moment to act; False when this is the end."""
        with self._condition:
            while not self._closed:
                left = None if self._until is None else self._until - time.monotonic()
                if left is not None and left <= 0:
                    self._until = None
                    return True
                self._condition.wait(left)
            return False
