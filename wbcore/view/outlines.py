"""Edges of collision geometries as line segments, for drawings of bounding objects."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

import numpy as np

from wbridge.wbcore.physics.mass import Mass
from wbridge.wbcore.physics.meshes import Mesh
from wbridge.wbcore.physics.plan import Geometry
from wbridge.wbcore.physics.pose import Vec3

Segments = list[Vec3]
"""Points; each two are the ends of a segment (m)."""
CORNERS = 24
"""Segments of a circle."""
MOST_EDGES = 4000
"""Maximum edges of a mesh or a height field."""
PLANE = 0.5
"""Half the width (m) of the square that stands for an infinite plane."""


def edges_of(geometry: Geometry) -> Segments:
    """Return the edges of a geometry in its solid's frame."""
    size = geometry.size
    match geometry.kind:
        case "box":
            made = _box((size[0], size[1], size[2]))
        case "sphere":
            made = [point for axis in range(3) for point in _circle(size[0], axis)]
        case "cylinder":
            made = _turned(_cylinder(size[0], size[1]), geometry.up)
        case "capsule":
            made = _turned(_capsule(size[0], size[1]), geometry.up)
        case "plane":
            made = _turned(_square(PLANE), geometry.up)
        case "mesh" if geometry.mesh is not None:
            made = _mesh(geometry.mesh)
        case "heightfield":
            made = _turned(_grid(size[0], size[1], geometry.heights), geometry.up)
        case _:
            made = []
    return [geometry.offset.point(point) for point in made]


def _box(size: Vec3) -> Segments:
    x, y, z = (length / 2 for length in size)
    found: Segments = []
    for a in (-1, 1):
        for b in (-1, 1):
            found += [(-x, a * y, b * z), (x, a * y, b * z), (a * x, -y, b * z), (a * x, y, b * z)]
            found += [(a * x, b * y, -z), (a * x, b * y, z)]
    return found


def _circle(
    radius: float, axis: int, height: float = 0.0, share: float = 1.0, start: float = 0.0
) -> Segments:
    """Return a circle, or a share of one, about an axis (0 to 2)."""
    count = max(2, round(CORNERS * share))
    angles = [start + 2 * pi * share * i / count for i in range(count + 1)]
    points = [_placed(axis, radius * cos(angle), radius * sin(angle), height) for angle in angles]
    return _joined(points)


def _placed(axis: int, a: float, b: float, c: float) -> Vec3:
    made = [0.0, 0.0, 0.0]
    made[(axis + 1) % 3], made[(axis + 2) % 3], made[axis] = a, b, c
    return made[0], made[1], made[2]


def _joined(points: Sequence[Vec3]) -> Segments:
    return [line for pair in zip(points, points[1:], strict=False) for line in pair]


def _sides(radius: float, height: float) -> Segments:
    """Return four lines along z on a cylinder."""
    found: Segments = []
    for x, y in ((radius, 0.0), (-radius, 0.0), (0.0, radius), (0.0, -radius)):
        found += [(x, y, -height / 2), (x, y, height / 2)]
    return found


def _cylinder(radius: float, height: float) -> Segments:
    ends = _circle(radius, 2, height / 2) + _circle(radius, 2, -height / 2)
    return ends + _sides(radius, height)


def _capsule(radius: float, height: float) -> Segments:
    found = _cylinder(radius, height)
    for axis, start in ((0, 0.0), (1, pi / 2)):
        for sign in (1, -1):
            arc = _circle(radius, axis, 0.0, 0.5, start)
            found += [(x, y, sign * (abs(z) + height / 2)) for x, y, z in arc]
    return found


def _square(half: float) -> Segments:
    corners: list[Vec3] = [(-half, -half, 0.0), (half, -half, 0.0), (half, half, 0.0), (-half, half, 0.0)]
    return _joined([*corners, corners[0]])


def _turned(points: Segments, up: str) -> Segments:
    """Return points whose axis z becomes the axis `up`."""
    return [(x, z, -y) for x, y, z in points] if up == "y" else points


def _mesh(mesh: Mesh) -> Segments:
    corners = np.asarray(mesh.triangles).reshape(-1, 3)
    pairs = np.sort(np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]]), axis=1)
    edges = np.unique(pairs, axis=0)[:MOST_EDGES]
    ends = np.asarray(mesh.vertices, float).reshape(-1, 3)[edges.ravel()]
    return [(x, y, z) for x, y, z in ends.tolist()]


def _grid(dx: float, dy: float, heights: Sequence[Sequence[float]]) -> Segments:
    step = max(1, round((2 * len(heights) * len(heights[0]) / MOST_EDGES) ** 0.5))
    rows, columns = _kept(len(heights), step), _kept(len(heights[0]), step)
    points = {(i, j): (j * dx, i * dy, heights[i][j]) for i in rows for j in columns}
    found = [line for i in rows for line in _joined([points[i, j] for j in columns])]
    return found + [line for j in columns for line in _joined([points[i, j] for i in rows])]


def _kept(count: int, step: int) -> list[int]:
    return sorted({*range(0, count, step), count - 1})


def inertia_box(mass: Mass) -> Segments:
    """Return the edges of the box with this mass and inertia and even density, in the frame of the mass.

    A box has the moments m / 12 (b^2 + c^2), and so on, about its axes.
    """
    moments, axes = np.linalg.eigh(np.array(mass.inertia))
    squares = 6 * (moments.sum() - 2 * moments) / mass.mass
    x, y, z = np.sqrt(np.maximum(squares, 0.0)).tolist()
    points = np.array(_box((x, y, z))) @ axes.T + np.array(mass.center)
    return [(a, b, c) for a, b, c in points.tolist()]
