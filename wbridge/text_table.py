"""Text in aligned columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest


def columns(rows: Sequence[Sequence[str]], right: frozenset[int] = frozenset()) -> list[str]:
    """Return lines in which the cells of each column are left-aligned (or right-aligned for `right`).

    A cell may have several lines; the other cells of its row are then padded. All rows have the same number
    of
    cells; no line ends in spaces.
    """
    split = [[cell.split("\n") for cell in row] for row in rows]
    widths = [max(len(line) for cell in column for line in cell) for column in zip(*split, strict=True)]
    return [
        "  ".join(
            line.rjust(width) if index in right else line.ljust(width)
            for index, (line, width) in enumerate(zip(lines, widths, strict=True))
        ).rstrip()
        for row in split
        for lines in zip_longest(*row, fillvalue="")
    ]


def wrapped(items: Sequence[str], width: int) -> str:
    """Join the items with commas, in lines of at most `width` characters; items are never split."""
    lines = [""]
    for index, item in enumerate(items):
        piece = item if index == len(items) - 1 else item + ","
        if lines[-1] and len(lines[-1]) + 1 + len(piece) > width:
            lines.append(piece)
        else:
            lines[-1] = f"{lines[-1]} {piece}".lstrip()
    return "\n".join(lines)
