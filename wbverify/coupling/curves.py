"""Curves as the drivers interpolate them (firmware_templates/project/curve.c), and their inverse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

__all__ = ["backward", "forward", "lookup"]

Rows = Sequence[Sequence[float]]


def lookup(constants: dict[str, Any]) -> Rows:
    """Return the lookup table of a device without its noise, as in firmware; without rows it is the
    identity."""
    return [(x, y) for x, y, *_ in constants.get("lookupTable") or ()]


def forward(rows: Rows, x: Any, real: type[np.floating[Any]]) -> Any:
    """Return y for an x, computed operation by operation as in the driver."""
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
    """Return an x with this y: the first of several, or the nearest end outside of the curve."""
    for (x0, y0), (x1, y1) in zip(rows, rows[1:], strict=False):
        if min(y0, y1) <= y <= max(y0, y1):
            return x0 if y1 == y0 else x0 + (y - y0) / (y1 - y0) * (x1 - x0)
    if not rows:
        return y
    return min(rows, key=lambda row: abs(row[1] - y))[0]
