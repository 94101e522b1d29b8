"""Show the progress of work that takes seconds: one line on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, RLock, Thread
from time import monotonic
from types import TracebackType
from typing import TextIO

from wbridge.words import duration

# On a terminal the line appears almost at once; in a log file only for long work, and then rarely.
_TERMINAL_DELAY_S, _TERMINAL_INTERVAL_S = 0.3, 0.1
_LOG_DELAY_S, _LOG_INTERVAL_S = 1.0, 5.0
_LONGEST_INTERVAL_S = 60.0


class Progress:
    """Counts a known number of steps and shows the current one with its elapsed time.

    Use as a context manager: within it, a thread keeps the line up to date, also during one long step.
    Nothing is written for quick work, nor when `enabled` is False.
    """

    def __init__(
        self,
        total: int = 0,
        enabled: bool = True,
        stream: TextIO | None = None,
        tell: Callable[[], str] | None = None,
        percent: bool = False,
        remaining: bool = False,
    ) -> None:
        """
        Args:
            total: number of steps.
            enabled: write the line; False: write nothing.
            stream: the output; None: standard error.
            tell: for work without steps: returns the progress, or "" if there is nothing to report. Called in
                another thread. Such work writes its own lines, so these are also whole lines, and rare.
            percent: show the part that is done in percent.
            remaining: also estimate the time that is left, for steps that take about the same time.
        """
        self._total = total
        self._tell, self._percent, self._remaining = tell, percent, remaining
        self._stream = sys.stderr if stream is None else stream
        self._terminal = self._stream.isatty() and tell is None
        self._interval = _TERMINAL_INTERVAL_S if self._terminal else _LOG_INTERVAL_S
        self._enabled = enabled
        self._start = monotonic()
        self._next = self._start + (_TERMINAL_DELAY_S if self._terminal else _LOG_DELAY_S)
        self._steps = 0
        self._what = ""
        self._drawn = False
        self._lock = RLock()
        self._end = Event()
        self._thread = Thread(target=self._run, daemon=True)

    def __enter__(self) -> Progress:
        if self._enabled:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end.set()
        if self._enabled:
            self._thread.join()
        self._clear()

    def step(self, what: str) -> None:
        """Show that the work on `what` begins."""
        with self._lock:
            self._what = what
            self._steps += 1

    def tick(self) -> None:
        """Update the line if it is due."""
        with self._lock:
            now = monotonic()
            if now < self._next or not (self._steps or self._tell):
                return
            self._next = now + self._interval
            if self._tell is not None:
                line = self._tell()
                if line:
                    self._interval = min(2 * self._interval, _LONGEST_INTERVAL_S)
                    self._draw(line)
            else:
                elapsed = now - self._start
                self._draw(f"{self._place()} {self._what}, {elapsed:,.0f} s elapsed{self._left(elapsed)}")

    def _place(self) -> str:
        if self._percent:
            return f"{100 * (self._steps - 1) // self._total} %,"
        return f"{self._steps}/{self._total}"

    def _left(self, elapsed: float) -> str:
        done = self._steps - 1
        if not (self._remaining and done):
            return ""
        return f", about {duration(elapsed / done * (self._total - done))} left"

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Hide the line while other output is written."""
        with self._lock:
            self._clear()
            yield

    def _run(self) -> None:
        while not self._end.wait(_TERMINAL_INTERVAL_S):
            self.tick()

    def _clear(self) -> None:
        if self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._drawn = False

    def _draw(self, line: str) -> None:
        if self._terminal:
            self._stream.write("\r\x1b[K" + line[:78])
            self._drawn = True
        else:
            self._stream.write(line + "\n")
        self._stream.flush()
