"""Texture coordinates of points on shapes: u from the left, v from the top, 0 to 1.

Points are in current axes: round shapes, planes and grids are along z. Source: manual, the texture mappings
of the geometries; corners and seams as in Webots.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from wbcore.physics.pose import Vec3

__all__ = [
    "Mapping",
    "of_box",
    "of_capsule",
    "of_cone",
    "of_cylinder",
    "of_grid",
    "of_plane",
    "of_sphere",
    "of_triangles",
]

UV: TypeAlias = tuple[float, float]
Mapping: TypeAlias = Callable[[Vec3], UV | None]
TURN = 2 * math.pi


def of_box(size: tuple[float, ...]) -> Mapping:
    """Each face shows the whole picture, upright on the sides."""
    sx, sy, sz = size

    def place(point: Vec3) -> UV:
        x, y, z = (one / length + 0.5 for one, length in zip(point, size, strict=True))
        # The face with the smallest distance from the point.
        faces: list[tuple[float, UV]] = [
            (abs(1 - x) * sx, (y, 1 - z)),
            (abs(x) * sx, (1 - y, 1 - z)),
            (abs(z) * sz, (x, y)),
            (abs(1 - z) * sz, (x, 1 - y)),
            (abs(1 - y) * sy, (1 - x, 1 - z)),
            (abs(y) * sy, (x, 1 - z)),
        ]
        return min(faces, key=lambda face: face[0])[1]

    return place


def of_plane(size: tuple[float, ...]) -> Mapping:
    """The picture covers the plane, its top toward +y."""
    return lambda p: (p[0] / size[0] + 0.5, 0.5 - p[1] / size[1])


def of_sphere(radius: float) -> Mapping:
    """Longitude and latitude."""

    def place(p: Vec3) -> UV:
        latitude = math.asin(min(max(p[2] / radius, -1.0), 1.0))
        return 0.5 + math.atan2(p[0], -p[1]) / TURN, 0.5 - latitude / math.pi

    return place


def of_cylinder(radius: float, height: float) -> Mapping:
    """The picture wraps around the side; each end shows its inscribed disk."""

    def place(p: Vec3) -> UV:
        x, y, z = p
        to_end, to_side = height / 2 - abs(z), radius - math.hypot(x, y)
        if to_end < to_side:
            v = (radius - y) / (2 * radius)
            return (x + radius) / (2 * radius), v if z > 0 else 1 - v
        return (math.atan2(-x, y) / TURN) % 1.0, 0.5 - z / height

    return place


def of_capsule(radius: float, height: float) -> Mapping:
    """The middle third wraps around the side, the others cover the hemispheres."""

    def place(p: Vec3) -> UV:
        x, y, z = p
        u = (math.atan2(x, -y) + math.pi) / TURN
        if abs(z) <= height / 2:
            return u, (2 - (z / height + 0.5)) / 3
        rise = math.asin(min((abs(z) - height / 2) / radius, 1.0)) / (math.pi / 2) / 3
        return u, 1 / 3 - rise if z > 0 else 2 / 3 + rise

    return place


def of_cone(radius: float, height: float) -> Mapping:
    """The picture wraps around the side; the bottom shows its inscribed disk."""

    def place(p: Vec3) -> UV:
        x, y, z = p
        if z <= -height / 2 * (1 - 1e-9):
            return (x + radius) / (2 * radius), (y + radius) / (2 * radius)
        return (math.atan2(-x, y) / TURN) % 1.0, 0.5 - z / height

    return place


def of_grid(width: float, depth: float) -> Mapping:
    """The picture covers the grid, its top toward +y."""
    return lambda p: (p[0] / width, 1 - p[1] / depth)


def of_triangles(
    vertices: NDArray[np.float64], triangles: NDArray[np.uint32], places: NDArray[np.float64]
) -> Mapping:
    """Interpolate the vertices' coordinates: (n, 2), one for each of the (n, 3) vertices."""
    made: list[Mapping] = []

    def place(point: Vec3) -> UV | None:
        if not made:  # most meshes are never sampled
            made.append(_affine(vertices, places) or _nearest(vertices, triangles, places))
        return made[0](point)

    return place


def _affine(vertices: NDArray[np.float64], places: NDArray[np.float64]) -> Mapping | None:
    """Return one affine mapping for the whole mesh, if there is one: often for floors, always for default
    coordinates."""
    points = np.column_stack([vertices, np.ones(len(vertices))])
    rule = np.linalg.lstsq(points, places, rcond=None)[0]
    if np.abs(points @ rule - places).max() > 1e-9:
        return None
    (a, e), (b, f), (c, g), (d, h) = rule.tolist()
    return lambda p: (
        a * p[0] + b * p[1] + c * p[2] + d,
        e * p[0] + f * p[1] + g * p[2] + h,
    )


def _nearest(
    vertices: NDArray[np.float64], triangles: NDArray[np.uint32], places: NDArray[np.float64]
) -> Mapping:
    """Map by the triangle nearest to the point, by distance in and from its plane."""
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    edges = np.stack([b - a, c - a], axis=1)
    gram = edges @ edges.transpose(0, 2, 1)
    determinant = gram[:, 0, 0] * gram[:, 1, 1] - gram[:, 0, 1] ** 2
    safe = np.where(determinant > 0, determinant, 1.0)
    size = gram[:, 0, 0] + gram[:, 1, 1]

    def place(point: Vec3) -> UV | None:
        beside = np.asarray(point) - a
        right = np.einsum("kij,kj->ki", edges, beside)
        s = (gram[:, 1, 1] * right[:, 0] - gram[:, 0, 1] * right[:, 1]) / safe
        t = (gram[:, 0, 0] * right[:, 1] - gram[:, 0, 1] * right[:, 0]) / safe
        foot = beside - s[:, None] * edges[:, 0] - t[:, None] * edges[:, 1]
        outside = np.maximum(0, np.maximum(-s, np.maximum(-t, s + t - 1)))
        off = np.einsum("ki,ki->k", foot, foot) + outside**2 * size
        off[determinant <= 0] = np.inf
        best = int(off.argmin())
        if not math.isfinite(off[best]):
            return None
        p, q, r = places[triangles[best]]
        u, v = p + s[best] * (q - p) + t[best] * (r - p)
        return float(u), float(v)

    return place
