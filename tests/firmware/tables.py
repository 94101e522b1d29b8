"""Tables that `wbridge firmware verify` has written."""

from __future__ import annotations

import csv
from pathlib import Path

__all__ = ["step_rows"]


def step_rows(table: Path) -> list[dict[str, str]]:
    """Return the rows of values that are compared step by step, without those of the board's examination."""
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    steps: dict[tuple[str, ...], set[str]] = {}
    for row in rows:
        steps.setdefault(_value(row), set()).add(row["step"])
    return [row for row in rows if len(steps[_value(row)]) > 1]


def _value(row: dict[str, str]) -> tuple[str, ...]:
    return row["place"], row["device"], row["value"]
