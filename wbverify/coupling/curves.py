"""Curves as the drivers interpolate them (firmware_templates/project/curve.c), and their inverse."""

from __future__ import annotations

from typing import Any

import numpy as np

from wbridge.wbfirmware.map.curves import Rows, backward, lookup

__all__ = ["backward", "forward", "lookup"]


def forward(rows: Rows, x: object, real: type[np.floating[Any]]) -> Any:
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
