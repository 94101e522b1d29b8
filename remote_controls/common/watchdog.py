"""A watchdog on the controller's side, for robots without one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol


class StepWatchdog(Protocol):
    """Stops a robot whose controller makes no step."""

    def feed(self, seconds: float) -> None:
        """Arm the watchdog: it expires after this time (s) unless it is fed again."""

    def disarm(self) -> None:
        """Disarm the watchdog until it is fed again."""

    def close(self) -> None:
        """End it; later calls have no effect."""


class Watchdog:
    """Calls a function once if it was not fed in time; feeding it again rearms it."""

    def __init__(self, act: Callable[[], None]) -> None:
        self._act = act
        self._condition = threading.Condition()
        self._until: float | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)
        self._thread.start()

    def feed(self, seconds: float) -> None:
        """Arm the watchdog: it expires after this time (s) unless it is fed again."""
        with self._condition:
            # The thread checks again when its time has elapsed: waking it each time would cost more.
            idle, self._until = self._until is None, time.monotonic() + seconds
            if idle:
                self._condition.notify()

    def disarm(self) -> None:
        """Disarm the watchdog until it is fed again."""
        with self._condition:
            self._until = None

    def close(self) -> None:
        """End the thread; later calls have no effect."""
        with self._condition:
            self._closed = True
            self._condition.notify()
        if self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self) -> None:
        while self._wait():
            self._act()

    def _wait(self) -> bool:
        """Wait until the watchdog expires; return False if it was closed."""
        with self._condition:
            while not self._closed:
                left = None if self._until is None else self._until - time.monotonic()
                if left is not None and left <= 0:
                    self._until = None
                    return True
                self._condition.wait(left)
            return False
