"""The mapper's map is that of its arena."""

from __future__ import annotations

import math

from tests.samples.runs import run

CELL, SIDE = 0.1, 44
BOXES = ((1.2, 0.9, 0.4, 0.4, 0.4), (-0.9, 1.1, 0.0, 0.6, 0.3), (0.9, -1.0, 1.0, 0.3, 0.5))
"""x, y, angle and edges of the world's boxes (m, rad)."""


def depth(x: float, y: float) -> float:
    """How deep a point is in an obstacle (m); negative: its distance from the nearest one, at most."""
    found = [max(abs(x), abs(y)) - 2, 0.2 - math.hypot(x + 1.1, y + 0.8)]
    for at_x, at_y, angle, width, height in BOXES:
        c, s = math.cos(angle), math.sin(angle)
        u, v = c * (x - at_x) + s * (y - at_y), c * (y - at_y) - s * (x - at_x)
        found.append(min(width / 2 - abs(u), height / 2 - abs(v)))
    return max(found)


def test_the_map_shows_walls_and_boxes_and_nothing_else():
    """Judge: the positions in the world file."""
    done = run("lidar_mapping", 61)
    assert done.outcome.reason == "reached the requested time"
    lines = done.lines[-SIDE:]
    cells = {
        ((column - SIDE / 2 + 0.5) * CELL, (SIDE / 2 - row - 0.5) * CELL): sign
        for row, line in enumerate(lines)
        for column, sign in enumerate(line)
    }
    assert len(cells) == SIDE * SIDE
    assert all(depth(*at) > -0.15 for at, sign in cells.items() if sign == "#")
    assert all(depth(*at) < 0.1 for at, sign in cells.items() if sign == ".")
    open_ones = [sign for at, sign in cells.items() if depth(*at) < -0.15]
    assert open_ones.count(".") > 0.98 * len(open_ones)
    walls = [sign for (x, y), sign in cells.items() if 2 < max(abs(x), abs(y)) < 2.1]
    assert walls.count("#") > 0.95 * len(walls)
