"""The step table: each value on the desktop and on the board, step by step."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

COLUMNS = ("step", "time_ms", "place", "device", "value", "desktop", "board", "bound", "result")


class TableRow(NamedTuple):
    """One value at one time on both sides."""

    step: int
    time_ms: float
    place: str
    """Flavor of the firmware on the board."""
    device: str
    value: str
    desktop: float
    board: float
    """NaN: never sent, or meaningless."""
    bound: float
    """The allowed difference."""
    is_given: bool = False
    """The board received this value, so there is nothing to compare."""
    source: str = ""
    """Where the expected value is from, for example a data sheet; "": the desktop."""

    @property
    def agrees(self) -> bool:
        """True if the difference is allowed."""
        if math.isnan(self.desktop) or math.isnan(self.board):
            return math.isnan(self.desktop) and math.isnan(self.board)
        return self.desktop == self.board or abs(self.desktop - self.board) <= self.bound

    @property
    def apart(self) -> float:
        """The difference; infinite if one of the values is not finite."""
        if self.desktop == self.board or (math.isnan(self.desktop) and math.isnan(self.board)):
            return 0.0
        difference = abs(self.desktop - self.board)
        return difference if math.isfinite(difference) else math.inf

    def __str__(self) -> str:
        allowed = "they must be equal" if self.bound == 0 else f"allowed: {self.bound:.3g}"
        where = f"by the {self.source}" if self.source else "on the desktop"
        return (
            f"step {self.step} ({self.time_ms:g} ms), {self.device}.{self.value}: {self.desktop!r} {where}, "
            f"{self.board!r} on the board ({self.place}); they differ by {self.apart:.3g}, {allowed}"
        )


class Omitted(NamedTuple):
    """A device that is not compared."""

    place: str
    """Flavor of the firmware to which it applies."""
    device: str
    why: str

    def __str__(self) -> str:
        return f'"{self.device}" is not compared ({self.place}): {self.why}'


class Column(NamedTuple):
    """All rows of one value of one device."""

    place: str
    device: str
    value: str
    rows: list[TableRow]

    @property
    def worst(self) -> TableRow:
        """The row with the largest difference relative to its tolerance."""
        return max(
            self.rows, key=lambda row: (not row.agrees, row.apart / row.bound if row.bound else row.apart)
        )

    @property
    def is_given(self) -> bool:
        """True if the board received the value."""
        return self.rows[0].is_given

    @property
    def wrong(self) -> int:
        """The number of rows that differ."""
        return sum(not row.agrees for row in self.rows)


def first_difference(rows: Iterable[TableRow]) -> TableRow | None:
    """Return the first row that differs."""
    return next((row for row in rows if not row.agrees), None)


def columns(rows: Iterable[TableRow]) -> list[Column]:
    """Return the rows of each value, in the order of first appearance."""
    known: dict[tuple[str, str, str], Column] = {}
    for row in rows:
        key = (row.place, row.device, row.value)
        known.setdefault(key, Column(*key, [])).rows.append(row)
    return list(known.values())


def write_table(path: Path, rows: Iterable[TableRow], omitted: Iterable[Omitted] = ()) -> None:
    """Write the table as CSV with all digits. Omitted devices are at the end, with the reason as result.

    Raises:
        OSError: the file cannot be written.
    """
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows(_cells(row) for row in rows)
        writer.writerows(
            ("", "", row.place, row.device, *[""] * 4, f"not compared: {row.why}") for row in omitted
        )


def _cells(row: TableRow) -> Iterator[str]:
    *values, is_given, _ = row
    yield from (value if isinstance(value, str) else repr(value) for value in values)
    yield "given" if is_given else "agrees" if row.agrees else "differs"
