"""Signs of life of a gateway while it handles a request."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["LifeSigns"]


class LifeSigns:
    """Calls a function in another thread at an interval, as long as a request is handled."""

    def __init__(self, send: Callable[[], None], interval: float) -> None:
        """
        Args:
            send: sends a sign of life; must not raise.
            interval: in s.
        """
        self._send, self._interval = send, interval
        self._condition = threading.Condition()
        self._is_busy = self._closed = False
        self._thread = threading.Thread(target=self._run, name="signs of life", daemon=True)
        self._thread.start()

    @contextmanager
    def during_request(self) -> Iterator[None]:
        """Send signs of life during this block."""
        with self._condition:
            self._is_busy = True
            self._condition.notify()
        try:
            yield
        finally:
            with self._condition:
                self._is_busy = False

    def close(self) -> None:
        """End the thread."""
        with self._condition:
            self._closed = True
            self._condition.notify()
        self._thread.join()

    def _run(self) -> None:
        with self._condition:
            while not self._closed:
                waited = not self._condition.wait(self._interval if self._is_busy else None)
                if waited and self._is_busy:
                    self._send()
