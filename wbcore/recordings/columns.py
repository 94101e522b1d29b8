"""Named numbers that change, from one or several sources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Columns(Protocol):
    """Named numbers that change. Further ones may follow the present ones at any time."""

    columns: list[str]

    @property
    def values(self) -> list[float]:
        """Current values; NaN if not available."""


class JoinedColumns:
    """The columns of several sources, one source after the other; later ones in the order of appearance."""

    def __init__(self, sources: Sequence[Columns]) -> None:
        self.columns: list[str] = []
        self.sources = sources
        self._places: list[tuple[int, int]] = []
        """The source of each column, and its place there."""
        self._known = [0] * len(sources)
        self._add_new()

    def _add_new(self) -> None:
        for number, source in enumerate(self.sources):
            first, end = self._known[number], len(source.columns)
            self.columns += source.columns[first:]
            self._places += [(number, place) for place in range(first, end)]
            self._known[number] = end

    @property
    def values(self) -> list[float]:
        """Current values; their columns are complete after this call."""
        values = [source.values for source in self.sources]
        self._add_new()
        return [values[number][place] for number, place in self._places]
