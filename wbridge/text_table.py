"""Text in aligned columns."""

from __future__ import annotations

from collections.abc import Sequence


def columns(rows: Sequence[Sequence[str]], right: frozenset[int] = frozenset(), gap: str = "  ") -> list[str]:
    """Lines in which the cells of each column start (or, for the columns in `right`, end) at one place.

    All rows have the same number of cells; no line ends in spaces.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        gap.join(
            cell.rjust(width) if index in right else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
