"""The star painter draws a star on the paper, and shows the same on its display."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tests.samples.runs import Run, run

RADIUS = 0.3
"""From the center of the star to its points (m)."""
NEAR = 0.02
"""The robot knows its place from its wheels only (m)."""
PAPER = 1.0


def edges() -> list[tuple[complex, complex]]:
    """The edges of a star on the floor, x + iy (m): each point of a pentagon and the second next one."""
    points = [RADIUS * complex(math.cos(a), math.sin(a)) for a in (0.4 * math.pi * k for k in range(5))]
    return [(points[k], points[(k + 2) % 5]) for k in range(5)]


def distances(places: NDArray[np.complex128]) -> NDArray[np.float64]:
    """The distances from the nearest edge (m)."""
    found = []
    for start, end in edges():
        along = (end - start) / abs(end - start)
        turned = (places - start) / along
        beside = turned.real - np.clip(turned.real, 0, abs(end - start))
        found.append(np.hypot(beside, turned.imag))
    nearest: NDArray[np.float64] = np.min(found, axis=0)
    return nearest


@cache
def painted() -> Run:
    """The drawing of a star, which several tests look at."""
    return run("star_painter", 90)


def test_the_ink_lies_on_the_edges_of_a_star():
    """Judge: the geometry of a pentagram, and the plane's texture: u along x, v along -y from the top."""
    done = painted()
    assert done.outcome.reason == "all controllers have ended"
    ((_, ink),) = done.simulation.inks.by_shape.items()
    rows, columns = np.nonzero(ink.density)
    size = ink.density.shape[0]
    places = ((columns + 0.5) / size - 0.5) * PAPER + 1j * (0.5 - (rows + 0.5) / size) * PAPER
    assert distances(places).max() < NEAR
    for start, end in edges():
        for share in np.linspace(0.02, 0.98, 40):
            assert np.abs(places - (start + share * (end - start))).min() < NEAR


def test_the_display_shows_the_star():
    """The drawn part of the screen covers the robot's path, scaled; below the bar of the progress."""
    done = painted()
    (display,) = (one for one in done.simulation.robots.list[0].devices if one.name == "display")
    picture = display.canvas.pixels.view(np.uint8).reshape(96, 96, 4)[:, :, 2::-1].astype(int)
    drawn = np.abs(picture - (0x1F, 0x4F, 0xBF)).max(axis=2) < 8
    drawn[:14] = False
    rows, columns = np.nonzero(drawn)
    scale = 0.4 * (96 - 14) / RADIUS
    places = ((96 + 14) / 2 - rows) / scale + 1j * (96 / 2 - columns) / scale
    assert len(rows) > 200
    assert distances(places).max() < 2.5 / scale
    bar = picture[12:14]
    assert (bar == (0x58, 0xC4, 0x7A)).all()
