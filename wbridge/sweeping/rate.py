"""Progress of a sweep: runs done, rate, remaining time."""

from __future__ import annotations

from time import monotonic
from types import TracebackType

from wbridge.progress import Progress
from wbridge.words import duration, rounded


class Rate:
    """Counts the runs that are done and shows how long the others will take."""

    def __init__(self, total: int, done: int, enabled: bool) -> None:
        """
        Args:
            total: number of runs.
            done: those that an earlier sweep has carried out.
            enabled: show the progress.
        """
        self._left = total - done
        self._done = 0
        self._start = monotonic()
        self._progress = Progress(max(self._left, 1), enabled=enabled)

    def add(self, count: int) -> None:
        """Count runs that are done."""
        for _ in range(count):
            self._done += 1
            rate = self._done / max(monotonic() - self._start, 1e-9)
            left_s = (self._left - self._done) / rate
            self._progress.step(f"runs, {rounded(rate)} per second, {duration(left_s)} left")

    def __enter__(self) -> Rate:
        self._progress.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.__exit__(kind, error, trace)
