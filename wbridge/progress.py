"""Progress of work that takes seconds: one line on standard error."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType
from typing import TextIO

# On a terminal the line appears almost at once; in a log file only when the work is long, and then rarely.
_TERMINAL_DELAY_S, _TERMINAL_INTERVAL_S = 0.2, 0.1
_LOG_DELAY_S, _LOG_INTERVAL_S = 1.0, 5.0


class Progress:
    """Counts steps of known number and shows the count and the present step.

    Use as a context manager; `enabled=False` makes it silent. Nothing is written for quick work.
    """

    def __init__(self, total: int, enabled: bool = True, stream: TextIO | None = None) -> None:
        self._total = total
        self._stream = sys.stderr if stream is None else stream
        self._terminal = self._stream.isatty()
        self._enabled = enabled
        self._next = monotonic() + (_TERMINAL_DELAY_S if self._terminal else _LOG_DELAY_S)
        self._done = 0
        self._drawn = False

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def step(self, what: str) -> None:
        """Tell that the work on `what` begins; shown when it is time for a line."""
        now = monotonic()
        if self._enabled and now >= self._next:
            self._next = now + (_TERMINAL_INTERVAL_S if self._terminal else _LOG_INTERVAL_S)
            self._draw(f"{self._done + 1}/{self._total} {what}")
        self._done += 1

    def clear(self) -> None:
        """Take the line off the terminal, so that other output starts at the margin."""
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
