"""Signs of life of a gateway while it handles a request."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

MOST_IDLE = 20
"""After so many intervals without a request, the thread sleeps until the next one."""


class LifeSigns:
    """Calls a function in another thread at an interval, as long as a request is handled.

    The thread looks by itself whether there is a request: to wake it for each would take longer than most.
    """

    def __init__(self, send: Callable[[], None], interval: float) -> None:
        """
        Args:
            send: sends a sign of life; must not raise.
            interval: in s.
        """
        self._send, self._interval = send, interval
        self._condition = threading.Condition()
        self._is_busy = self._is_asleep = self._closed = False
        self._thread = threading.Thread(target=self._run, name="signs of life", daemon=True)
        self._thread.start()

    @contextmanager
    def during_request(self) -> Iterator[None]:
        """Send signs of life during this block."""
        self._is_busy = True
        if self._is_asleep:
            with self._condition:
                self._condition.notify()
        try:
            yield
        finally:
            self._is_busy = False

    def close(self) -> None:
        """End the thread."""
        with self._condition:
            self._closed = True
            self._condition.notify()
        self._thread.join()

    def _run(self) -> None:
        idle = 0
        with self._condition:
            while not self._closed:
                self._is_asleep = idle >= MOST_IDLE
                if self._is_asleep and not self._is_busy:  # in this order: a request may begin meanwhile
                    self._condition.wait()
                self._is_asleep = False
                self._condition.wait(self._interval)
                idle = 0 if self._is_busy else idle + 1
                if self._is_busy and not self._closed:
                    self._send()
