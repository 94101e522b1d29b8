"""The red spot of a laser on what it hits.

Source: manual, DistanceSensor: cameras see the spot of a "laser", whose radius is the aperture (m);
WbDistanceSensor.cpp: it lies on the surface, lineScale / 200 nearer to the sensor, and is absent where the
beam grazes the surface.
"""

from __future__ import annotations

from math import cos, pi, radians, sin
from typing import NamedTuple, Protocol

import numpy as np

from wbridge.wbcore.physics.pose import Vec3, add, cross, dot, scaled, sub, unit
from wbridge.wbcore.physics.tree import number
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.visual.drawn import Drawn

RED = (1.0, 0.0, 0.0, 1.0)
CORNERS = 32
"""Of the polygon that stands for the disk."""
LARGEST_ANGLE = radians(80)
"""Between the beam and the normal of the surface."""
LINE_SCALE, OFFSETS = 0.1, 200


class LaserHit(NamedTuple):
    """Where a laser hits something, in the world."""

    source: Vec3
    """Where the beam begins (m)."""
    at: Vec3
    normal: Vec3
    """Of the surface, of length 1."""
    radius: float
    """Of the spot (m)."""


class Laser(Protocol):
    """A sensor with a beam."""

    def laser_hit(self) -> LaserHit | None:
        """Return where the beam ends; None if it is off, or hits nothing."""


def drawn_spots(world: World, lasers: dict[Laser, None]) -> list[Drawn]:
    """Return the spots of lasers as disks."""
    offset = number(world.first("WorldInfo"), "lineScale", LINE_SCALE) / OFFSETS
    spots = (_spot(hit, offset) for laser in lasers if (hit := laser.laser_hit()) is not None)
    return [spot for spot in spots if spot is not None]


def _spot(hit: LaserHit, offset: float) -> Drawn | None:
    back, normal = unit(sub(hit.source, hit.at)), hit.normal
    if back is None:
        return None
    if dot(back, normal) < 0:  # the normal of an inner side
        normal = scaled(normal, -1)
    if dot(back, normal) <= cos(LARGEST_ANGLE):
        return None
    # Two directions in the surface: across the normal and the world axis that is farthest from it.
    axis = min(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), key=lambda axis: abs(dot(axis, normal)))
    across = unit(cross(normal, axis))
    assert across is not None, "the axis is not along the normal"
    along, middle = cross(normal, across), add(hit.at, scaled(back, offset))
    angles = [2 * pi * corner / CORNERS for corner in range(CORNERS + 1)]
    rim = np.array([np.multiply(across, cos(a)) + np.multiply(along, sin(a)) for a in angles])
    points = np.asarray(middle) + hit.radius * rim
    fan = [(middle, points[corner], points[corner + 1]) for corner in range(CORNERS)]
    return Drawn(3, RED, 1.0, np.array(fan, dtype=np.float32).reshape(-1, 3))
