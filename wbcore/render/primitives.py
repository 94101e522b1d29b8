"""Tessellations of round shapes, boxes and planes of unit size, along z, with texture coordinates.

The texture coordinates are those of the engine's mappings (manual, the texture mappings of the geometries),
with separate vertices at seams.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from wbridge.wbcore.render.vertices import Vertices, joined

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEGMENTS = (8, 12, 16, 24, 32, 96)
"""Segments around round shapes, from coarse to fine."""
Points: TypeAlias = "NDArray[np.float64]"


def box(is_flipped: bool = False) -> Vertices:
    """Return a cube with edges of 1; each face shows the whole picture, upright on the sides. On top and
    bottom, its right edge is toward +x (toward +y if flipped)."""
    ends = (
        [((0, 1, 0), (-1, 0, 0)), ((0, 1, 0), (1, 0, 0))]
        if is_flipped
        else [((1, 0, 0), (0, 1, 0)), ((1, 0, 0), (0, -1, 0))]
    )
    sides = [
        # normal, direction of the picture's right edge, direction of its upper edge
        ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        ((-1, 0, 0), (0, -1, 0), (0, 0, 1)),
        ((0, 1, 0), (-1, 0, 0), (0, 0, 1)),
        ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
        ((0, 0, 1), *ends[0]),
        ((0, 0, -1), *ends[1]),
    ]
    return joined([_square(np.array(n), np.array(right), np.array(up)) for n, right, up in sides])


def _square(normal: Points, right: Points, up: Points, out: float = 0.5) -> Vertices:
    corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
    points = [out * normal + x * right + y * up for x, y in corners]
    places = [(x + 0.5, 0.5 - y) for x, y in corners]
    return Vertices.of(points, [normal] * 4, places, [(0, 1, 2), (0, 2, 3)])


def plane() -> Vertices:
    """Return a square with edges of 1 that faces +z; the top of the picture is toward +y."""
    return _square(np.array((0, 0, 1)), np.array((1, 0, 0)), np.array((0, 1, 0)), 0.0)


def _surface(
    around: Points, along: Points, at: Callable[[Points, Points], tuple[Points, Points, Points]]
) -> Vertices:
    """Return a surface over a grid of two parameters, without triangles of no area.

    `at` returns points, normals and texture coordinates for flat arrays of both parameters; seen from
    outside, `around` grows to the right where `along` grows upward.
    """
    s, t = np.meshgrid(around, along, indexing="xy")
    points, normals, places = at(s.ravel(), t.ravel())
    columns, rows = len(around), len(along)
    start = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    a, b, c, d = start, start + 1, start + columns + 1, start + columns
    triangles = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    p, q, r = (points[triangles[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(q - p, r - p), axis=1)
    return Vertices.of(points, normals, places, triangles[area > 1e-12])


def _stacked(*columns: Points) -> Points:
    return np.stack(np.broadcast_arrays(*columns), axis=1)


def sphere(segments: int) -> Vertices:
    """Return a sphere with a radius of 1: longitude and latitude, the seam at +y."""

    def at(u: Points, latitude: Points) -> tuple[Points, Points, Points]:
        angle = (u - 0.5) * 2 * np.pi
        points = _stacked(
            np.sin(angle) * np.cos(latitude), -np.cos(angle) * np.cos(latitude), np.sin(latitude)
        )
        return points, points, _stacked(u, 0.5 - latitude / np.pi)

    return _surface(
        np.linspace(0, 1, segments + 1), np.linspace(-np.pi / 2, np.pi / 2, segments // 2 + 1), at
    )


def _side(segments: int, top: float, slope: float) -> Vertices:
    """Return the side of a cylinder (top 1) or a cone (top 0); the seam is at +y."""

    def at(u: Points, z: Points) -> tuple[Points, Points, Points]:
        angle = u * 2 * np.pi
        radius = 1 + (top - 1) * (z + 0.5)
        x, y = -np.sin(angle), np.cos(angle)
        normals = _stacked(x, y, np.full_like(x, slope)) / np.hypot(1, slope)
        return _stacked(x * radius, y * radius, z), normals, _stacked(u, 0.5 - z)

    return _surface(np.linspace(0, 1, segments + 1), np.array([-0.5, 0.5]), at)


def _disk(segments: int, z: float, places: Callable[[Points, Points], Points]) -> Vertices:
    """Return a disk with a radius of 1 that faces away from the origin."""
    angles = np.linspace(0, 2 * np.pi, segments, endpoint=False)
    x, y = np.cos(angles), np.sin(angles)
    fan = np.arange(1, segments - 1)
    triangles = np.stack([np.zeros_like(fan), fan, fan + 1], 1)
    normal = (0.0, 0.0, 1.0 if z > 0 else -1.0)
    if z < 0:
        triangles = triangles[:, ::-1]
    return Vertices.of(_stacked(x, y, np.array(z)), [normal] * segments, places(x, y), triangles)


def _ends(segments: int, bottom: bool, top: bool) -> list[Vertices]:
    made = []
    if bottom:
        made.append(_disk(segments, -0.5, lambda x, y: _stacked((x + 1) / 2, (1 + y) / 2)))
    if top:
        made.append(_disk(segments, 0.5, lambda x, y: _stacked((x + 1) / 2, (1 - y) / 2)))
    return made


def cylinder(segments: int, bottom: bool, side: bool, top: bool) -> Vertices | None:
    """Return a cylinder with a radius and a height of 1; None without any part."""
    parts = [_side(segments, 1.0, 0.0)] * side + _ends(segments, bottom, top)
    return joined(parts) if parts else None


def cone(segments: int, bottom: bool, side: bool) -> Vertices | None:
    """Return a cone with a bottom radius and a height of 1; None without any part."""
    parts = [_side(segments, 0.0, 1.0)] * side + _ends(segments, bottom, False)
    return joined(parts) if parts else None


def capsule(
    segments: int, radius: float, height: float, bottom: bool, side: bool, top: bool
) -> Vertices | None:
    """Return a capsule (m); the seam of its picture is at +y. None without any part."""

    def at_side(u: Points, z: Points) -> tuple[Points, Points, Points]:
        x, y = _around(u)
        points = _stacked(x * radius, y * radius, z)
        return points, _stacked(x, y, 0 * z), _stacked(u, (2 - (z / height + 0.5)) / 3)

    def at_end(sign: float) -> Callable[[Points, Points], tuple[Points, Points, Points]]:
        def at(u: Points, latitude: Points) -> tuple[Points, Points, Points]:
            x, y = _around(u)
            normals = _stacked(x * np.cos(latitude), y * np.cos(latitude), np.sin(latitude))
            points = normals * radius + (0.0, 0.0, sign * height / 2)
            rise = np.abs(latitude) / (np.pi / 2) / 3
            return points, normals, _stacked(u, 1 / 3 - rise if sign > 0 else 2 / 3 + rise)

        return at

    around = np.linspace(0, 1, segments + 1)
    arc = np.linspace(0, np.pi / 2, segments // 4 + 1)
    parts = []
    if side:
        parts.append(_surface(around, np.array([-height / 2, height / 2]), at_side))
    if top:
        parts.append(_surface(around, arc, at_end(1.0)))
    if bottom:
        parts.append(_surface(around, -arc[::-1], at_end(-1.0)))
    return joined(parts) if parts else None


def _around(u: Points) -> tuple[Points, Points]:
    angle = u * 2 * np.pi - np.pi
    return np.sin(angle), -np.cos(angle)
