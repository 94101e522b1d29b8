"""A robot's way seen from above, as SVG."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SIZE, EDGE = 240, 12
"""Width and height of the drawing, and its margin (pixels)."""


def way_plot(way: NDArray[np.float64]) -> str:
    """Return a drawing of positions (samples, bodies, 3; m) of the first body, the robot.

    x is to the right and y up, with the same scale; a circle marks the start.
    """
    if len(way) < 2:
        return ""
    plane = way[:, 0, :2]
    low, high = plane.min(axis=0), plane.max(axis=0)
    span = float((high - low).max())
    if span < 1e-3:
        return "<p>The robot itself has not moved.</p>"
    scale = (SIZE - 2 * EDGE) / span
    points = [(EDGE + scale * (x - low[0]), SIZE - EDGE - scale * (y - low[1])) for x, y in plane]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    start = f'<circle cx="{points[0][0]:.1f}" cy="{points[0][1]:.1f}" r="5" fill="#1769aa"/>'
    label = f"The way of the robot from above, {span:.2f} m wide"
    return (
        f'<svg viewBox="0 0 {SIZE} {SIZE}" role="img" aria-label="{label}">'
        f'<polyline points="{line}" fill="none" stroke="#1769aa" stroke-width="2"/>{start}</svg>'
    )
