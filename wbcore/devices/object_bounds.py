"""Boxes around the visible parts of objects, as cameras recognize them.

All vectors are in the axes of the view: forward, left, up (m). Source: Webots' WbObjectDetection: corners
outside of a side plane of the view are moved onto it; round geometries are shortened by the part beyond it.
"""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from wbridge.wbcore.engine.mathematics import cos, sin
from wbridge.wbcore.physics.exact_sums import along_rows, dots

if TYPE_CHECKING:
    from numpy.typing import NDArray

Points: TypeAlias = "NDArray[np.float64]"
RIGHT, BOTTOM, LEFT, TOP = range(4)
WIDEST_SHORTENED = pi / 2
"""The widest field of view (rad) in which boxes of round geometries are shortened."""


class Bounds(NamedTuple):
    """A box around the visible part of an object."""

    low: Points
    high: Points
    is_ball: bool
    """Whether it stands for a sphere, so that its corners are not part of the object."""

    @property
    def center(self) -> Points:
        """Its center."""
        middle: Points = (self.low + self.high) / 2
        return middle

    @property
    def size(self) -> Points:
        """Depth, width, height."""
        extent: Points = self.high - self.low
        return extent

    def joined(self, other: Bounds) -> Bounds:
        """Return the box around this one and another."""
        low, high = np.minimum(self.low, other.low), np.maximum(self.high, other.high)
        return Bounds(low, high, self.is_ball and other.is_ball)

    def marks(self) -> Points:
        """Return the points that outline the object: 8 corners, or 6 ends of a sphere's axes."""
        half = self.size / 2
        if self.is_ball:
            ends = np.concatenate([np.eye(3), -np.eye(3)])
        else:
            ends = np.array([(x, y, z) for z in (1, -1) for y in (1, -1) for x in (1, -1)], dtype=float)
        corners: Points = self.center + ends * half
        return corners


class Frustum:
    """The sides of a planar view; `wide` and `high` are full angles (rad)."""

    def __init__(self, wide: float, high: float) -> None:
        a, b = wide / 2, high / 2
        self._is_shortening = wide <= WIDEST_SHORTENED
        # Unit normals that point inward; all planes pass through the camera.
        self._normals = np.array(
            [(sin(a), cos(a), 0), (sin(b), 0, cos(b)), (sin(a), -cos(a), 0), (sin(b), 0, -cos(b))]
        )

    def around_points(self, points: Points) -> Bounds | None:
        """Return the box around the visible part of a body with these corners; None if it is out of view."""
        ahead = points[:, 0] > 0
        if ahead.all() and (along_rows(points, self._normals) >= 0).all():
            return Bounds(points.min(axis=0), points.max(axis=0), False)
        front, inside = points[ahead].copy(), np.ones(int(ahead.sum()), dtype=bool)
        if not len(front):
            return None
        outside_some, inside_some = [False] * 4, [False] * 4
        for side, normal in enumerate(self._normals):
            distances = dots(front, normal)
            beyond = distances < 0
            front[beyond] -= distances[beyond, None] * normal
            inside &= ~beyond
            outside_some[side], inside_some[side] = bool(beyond.any()), not beyond.all()
        if not inside.any() and not _crosses(outside_some, inside_some):
            return None
        every = np.concatenate([front, points[~ahead]])
        return Bounds(every.min(axis=0), every.max(axis=0), False)

    def around_round(self, center: Points, size: Points, is_ball: bool) -> Bounds | None:
        """Return the box around the visible part of a round geometry with this box; None if out of view."""
        distances = dots(self._normals, center)
        halves = size[[1, 2, 1, 2]] / 2
        if (distances < -halves).any():
            return None
        low, high = center - size / 2, center + size / 2
        if self._is_shortening:
            beyond = np.maximum(halves - distances, 0)
            low += (0, beyond[RIGHT], beyond[BOTTOM])
            high -= (0, beyond[LEFT], beyond[TOP])
        return Bounds(low, high, is_ball)


def _crosses(outside: list[bool], inside: list[bool]) -> bool:
    """True if a body without a corner in the view reaches from one side to the opposite one."""
    across = outside[RIGHT] and outside[LEFT] and inside[BOTTOM] and inside[TOP]
    along = outside[BOTTOM] and outside[TOP] and inside[RIGHT] and inside[LEFT]
    return across or along
