"""Curves as the drivers read them (firmware_templates/project/curve.c), and the way back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

__all__ = ["backward", "forward", "lookup"]

Rows = Sequence[Sequence[float]]


def lookup(constants: dict[str, Any]) -> Rows:
    """The lookup table of a device without its noise, as firmware has it; without rows it changes nothing."""
    return [(x, y) for x, y, *_ in constants.get("lookupTable") or ()]


def forward(rows: Rows, x: Any, real: type[np.floating[Any]]) -> Any:
    """The y of an x, computed operation by operation as the driver does."""
    if not rows:
        return x
    points = [(real(a), real(b)) for a, b in rows]
    if x <= points[0][0]:
        return points[0][1]
    for (x0, y0), (x1, y1) in zip(points, points[1:], strict=False):
        if x <= x1:
            share = (x - x0) / (x1 - x0)
            return y0 + share * (y1 - y0)
    return points[-1][1]


def backward(rows: Rows, y: float) -> float:
    """An x whose y this is; of several the first, outside of the curve the end that is nearest."""
    for (x0, y0), (x1, y1) in zip(rows, rows[1:], strict=False):
        if min(y0, y1) <= y <= max(y0, y1):
            return x0 if y1 == y0 else x0 + (y - y0) / (y1 - y0) * (x1 - x0)
    if not rows:
        return y
    return min(rows, key=lambda row: abs(row[1] - y))[0]
