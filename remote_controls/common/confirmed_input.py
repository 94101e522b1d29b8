"""Inputs of a board that reports them without checksum: a report that does not fit is confirmed first."""

from __future__ import annotations

from collections.abc import Callable

MOST_IN_SUCCESSION = 3
"""After this many reports that neither fit nor confirm each other the signal is as fast as that."""


class ConfirmedInput:
    """A number that changes by more than `tolerance` only if two reports in succession agree."""

    def __init__(self, tolerance: int, drop: Callable[[], None]) -> None:
        """
        Args:
            tolerance: changes up to this need no confirmation; 0 for bits.
            drop: called for each report that was not confirmed.
        """
        self._tolerance, self._drop = tolerance, drop
        self.value: int | None = None
        """The last number that was accepted."""
        self._doubtful: list[int] = []
        """Reports since then."""

    def take(self, report: int) -> bool:
        """Process a report; return True if it was accepted."""
        if self._fits(self.value, report):
            for _ in self._doubtful:
                self._drop()
        elif not (self._doubtful and self._fits(self._doubtful[-1], report)):
            self._doubtful.append(report)
            if len(self._doubtful) < MOST_IN_SUCCESSION or self._tolerance == 0:
                return False
        self.value = report
        self._doubtful.clear()
        return True

    def _fits(self, value: int | None, report: int) -> bool:
        return value is not None and abs(report - value) <= self._tolerance
