"""Accounts elapsed time to named rows: each moment belongs to the innermost running span.

    spans = Spans()
    step = spans.timed(spans.row("engine"), world.step)
    spans.start()
    step()
    rows = spans.stop()

Because each moment belongs to exactly one row, the rows add up to the time between `start` and `stop`.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter_ns
from typing import Any, NamedTuple

REST = "rest"
"""The row of the time outside of all spans."""


class Usage(NamedTuple):
    """The time of a row."""

    name: str
    calls: int
    time_ns: int
    """Time in spans of this row (ns), without that in spans inside them."""
    longest_ns: int
    """Duration of the longest span (ns), with that of spans inside it."""


class Row:
    """Counts the calls and the own time of all spans of one name."""

    __slots__ = ("calls", "longest_ns", "name", "time_ns")

    def __init__(self, name: str) -> None:
        self.name = name
        self.clear()

    def clear(self) -> None:
        """Start at 0."""
        self.calls = self.time_ns = self.longest_ns = 0

    @property
    def usage(self) -> Usage:
        """What was counted so far."""
        return Usage(self.name, self.calls, self.time_ns, self.longest_ns)


class Spans:
    """Measures nested spans of one thread."""

    def __init__(self, now: Callable[[], int] = perf_counter_ns) -> None:
        """
        Args:
            now: the clock (ns).
        """
        self.now = now
        self.on_span: Callable[[str, int, int], object] | None = None
        """Called at the end of each span with its row's name, begin and end (ns)."""
        self._rest = self._top = Row(REST)
        self._rows = {REST: self._rest}
        self._stack: list[tuple[Row, int]] = []
        self._begun = self._last = self._start = now()

    def row(self, name: str) -> Row:
        """Return the row of a name, a new one on first use."""
        found = self._rows.get(name)
        if found is None:
            found = self._rows[name] = Row(name)
        return found

    def timed(self, row: Row, function: Callable[..., object]) -> Callable[..., Any]:
        """Return a function that calls another one in a span."""
        enter, leave = self.enter, self.leave

        def call(*arguments: object) -> Any:
            enter(row)
            try:
                return function(*arguments)
            finally:
                leave()

        return call

    def enter(self, row: Row) -> None:
        """Begin a span inside the current one."""
        now = self.now()
        self._top.time_ns += now - self._last
        self._last = now
        self._stack.append((self._top, self._begun))
        self._top, self._begun = row, now

    def leave(self) -> None:
        """End the current span."""
        now = self.now()
        row, begun = self._top, self._begun
        row.time_ns += now - self._last
        row.calls += 1
        if now - begun > row.longest_ns:
            row.longest_ns = now - begun
        self._last = now
        self._top, self._begun = self._stack.pop()
        if self.on_span is not None:
            self.on_span(row.name, begun, now)

    def move(self, row: Row, begin_ns: int, time_ns: int) -> None:
        """Count a span that was measured elsewhere; its time (ns) is part of the current span's."""
        row.calls += 1
        row.time_ns += time_ns
        row.longest_ns = max(row.longest_ns, time_ns)
        self._top.time_ns -= time_ns
        if self.on_span is not None:
            self.on_span(row.name, begin_ns, begin_ns + time_ns)

    def start(self) -> None:
        """Forget what was measured so far."""
        for row in self._rows.values():
            row.clear()
        self._last = self._start = self.now()

    def stop(self) -> list[Usage]:
        """End the measurement and return the rows, those with the most time first; later spans do not
        count."""
        now = self.now()
        self._top.time_ns += now - self._last
        self._last, self.on_span = now, None
        used = (row for row in self._rows.values() if row.calls or row.time_ns or row is self._rest)
        return sorted((row.usage for row in used), key=lambda usage: -usage.time_ns)

    @property
    def start_ns(self) -> int:
        """When the measurement started (ns)."""
        return self._start


def replace(owner: object, name: str, function: Callable[..., object]) -> None:
    """Replace a method of a single object."""
    setattr(owner, name, function)
