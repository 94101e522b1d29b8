"""Visible parts of solids, for devices that detect whole objects."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from wbridge.wbcore.engine import mathematics
from wbridge.wbcore.physics.plan import Geometry, SolidPlan
from wbridge.wbcore.physics.pose import Pose, Vec3, cross, dot, length
from wbridge.wbcore.scene.dialect import Dialect

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Part(NamedTuple):
    """The visible part of a solid."""

    center: Vec3
    """Center of its bounding box in the device's frame: forward, left, up (m)."""
    depth: float
    """Depth of that box along the view (m)."""


class FieldOfView:
    """A device's field of view: `wide` and `high` are full angles (rad), `far` is in m."""

    def __init__(self, conventions: Dialect, wide: float, high: float, far: float) -> None:
        self._forward = conventions.view_axis
        self._up = conventions.view_up
        self._left = cross(self._up, self._forward)
        self.wide = wide
        self.high = high
        self.far = far

    def turned(self, vector: Vec3) -> Vec3:
        """Convert a vector from the device's axes to forward, left, up."""
        return (dot(vector, self._forward), dot(vector, self._left), dot(vector, self._up))

    def azimuth(self, vector: Vec3) -> float:
        """Return the angle (rad) of a vector in the device's axes, positive to the right of forward."""
        forward, left, _ = self.turned(vector)
        return mathematics.atan2(-left, forward)

    def clip(self, low: Vec3, high: Vec3) -> tuple[Vec3, Vec3] | None:
        """Return the visible part of a box (forward, left, up), or None if it is out of view.

        The sides of the view are evaluated between the near and the far end of the box.
        """
        if self.wide > math.pi:
            return (low, high) if self._is_around(low, high) else None
        near, far = max(low[0], 0.0), high[0]
        if far <= 0:
            return None
        reach = [far * mathematics.tan(min(angle / 2, 1.5707)) for angle in (self.wide, self.high)]
        bounds = [(max(low[i], -reach[i - 1]), min(high[i], reach[i - 1])) for i in (1, 2)]
        if any(a > b for a, b in bounds):
            return None
        (left, right), (bottom, top) = bounds
        return (near, left, bottom), (far, right, top)

    def _is_around(self, low: Vec3, high: Vec3) -> bool:
        """For views of more than half a turn: False if the box is behind, above or below the view."""
        middle = [(a + b) / 2 for a, b in zip(low, high, strict=True)]
        level = mathematics.hypot(middle[0], middle[1])
        half = length((high[0] - low[0], high[1] - low[1], high[2] - low[2])) / 2
        if mathematics.atan2(max(abs(middle[2]) - half, 0.0), level) > self.high / 2:
            return False
        return abs(mathematics.atan2(middle[1], middle[0])) - mathematics.atan2(half, level) <= self.wide / 2


def part_of(solid: SolidPlan, relative: Pose, view: FieldOfView) -> Part | None:
    """Return the visible part of a solid's bounding object or, without one, of its origin.

    Args:
        solid: the candidate.
        relative: its pose in the frame of the device.
        view: the device's field of view.
    """
    corners = [corner_points(geometry) for geometry in solid.geometries if geometry.kind != "plane"]
    points = np.concatenate(corners) if corners else np.zeros((1, 3))
    seen = np.array([view.turned(relative.point((x, y, z))) for x, y, z in points.tolist()])
    low, high = seen.min(axis=0).tolist(), seen.max(axis=0).tolist()
    edges = view.clip((low[0], low[1], low[2]), (high[0], high[1], high[2]))
    if edges is None:
        return None
    (a, b, c), (d, e, f) = edges
    part = Part(((a + d) / 2, (b + e) / 2, (c + f) / 2), d - a)
    return part if length(part.center) <= view.far + part.depth / 2 else None


def corner_points(geometry: Geometry) -> NDArray[np.float64]:
    """Return the corners of a geometry's box, or a mesh's vertices, in the frame of its solid."""
    if geometry.mesh is not None:
        points = geometry.mesh.vertices
    elif geometry.kind == "heightfield":
        points = _grid(geometry)
    else:
        points = np.array(list(product(*((-half, half) for half in _half(geometry)))))
    return np.array([geometry.offset.point((x, y, z)) for x, y, z in points.tolist()])


def _half(geometry: Geometry) -> tuple[float, float, float]:
    size = geometry.size
    if geometry.kind == "box":
        return (size[0] / 2, size[1] / 2, size[2] / 2)
    radius = size[0]
    if geometry.kind == "sphere":
        return (radius, radius, radius)
    half = size[1] / 2 + (radius if geometry.kind == "capsule" else 0.0)
    return (radius, half, radius) if geometry.up == "y" else (radius, radius, half)


def _grid(geometry: Geometry) -> NDArray[np.float64]:
    dx, dy, _ = geometry.size
    rows, columns = len(geometry.heights), len(geometry.heights[0])
    highest = [height for row in geometry.heights for height in row]
    ends = product((0.0, (columns - 1) * dx), (0.0, (rows - 1) * dy), (min(highest), max(highest)))
    points = np.array(list(ends))
    return points[:, [0, 2, 1]] if geometry.up == "y" else points
