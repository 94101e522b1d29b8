"""Curves as curve.c of the firmware interpolates them, read backward: from a value to what caused it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Rows = Sequence[Sequence[float]]


def lookup(constants: dict[str, Any]) -> Rows:
    """Return the lookup table of a device without its noise; without rows it is the identity."""
    return [(x, y) for x, y, *_ in constants.get("lookupTable") or ()]


def backward(rows: Rows, y: float) -> float:
    """Return an x with this y: the first of several, or the nearest end outside of the curve."""
    for (x0, y0), (x1, y1) in zip(rows, rows[1:], strict=False):
        if min(y0, y1) <= y <= max(y0, y1):
            return x0 if y1 == y0 else x0 + (y - y0) / (y1 - y0) * (x1 - x0)
    if not rows:
        return y
    return min(rows, key=lambda row: abs(row[1] - y))[0]
