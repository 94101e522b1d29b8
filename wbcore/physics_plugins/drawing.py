"""What physics plugins draw in views."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from wbridge.wbcore.visual.drawn import Drawn

SHAPES = {1: "points", 2: "lines", 3: "triangles"}
"""By the number of corners."""
DIGITS = 5
MOST_VERTICES = 300_000
"""In one drawing."""


def drawn(corners: int, vertices: ArrayLike, color: Iterable[float], size: float, in_front: bool) -> Drawn:
    """Check what a plugin in Python draws.

    Raises:
        ValueError: the vertices are not rows of three finite numbers, or the color has not 3 or 4.
    """
    at = np.array(vertices, np.float32).reshape(-1, 3)[:MOST_VERTICES]
    if not np.isfinite(at).all():
        raise ValueError("a vertex is not finite")
    if len(at) % corners:
        raise ValueError(f"{len(at)} vertices for {SHAPES[corners]}, which have {corners} each")
    tint = tuple(float(min(max(channel, 0.0), 1.0)) for channel in color)
    if len(tint) not in (3, 4):
        raise ValueError(f"a color of {len(tint)} numbers; allowed: 3, or 4 with the opacity")
    return Drawn(corners, (*tint, 1.0)[:4], size, at, is_hidden=not in_front)


def from_native(made: Iterable[tuple[int, tuple[float, ...], float, int, bool, bytes]]) -> list[Drawn]:
    """Return what the engine recorded of a plugin in C or C++."""
    return [
        Drawn(corners, color, size, np.frombuffer(at, np.float32).reshape(-1, 3), number == 1, is_hidden)
        for corners, color, size, number, is_hidden, at in made
    ]


def drawn_parts(made: Iterable[Drawn]) -> list[dict[str, object]]:
    """Return parts of a drawing, see `wbridge.wbcore.view.drawings`, with their own colors and sizes."""
    return [
        {
            "body": None,
            "shape": SHAPES[shape.corners],
            "look": "plugin",
            "color": [round(part, 3) for part in shape.color],
            "size": round(shape.size, 2),
            "at": [round(part, DIGITS) for part in shape.at.ravel().tolist()],
        }
        for shape in made
    ]
