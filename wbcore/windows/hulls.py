"""Outlines of shapes: points of a geometry, and the convex hull of points in a plane."""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, pi, sin

from wbridge.wbcore.physics.plan import Geometry
from wbridge.wbcore.physics.pose import Vec3

Point = tuple[float, float]
CORNERS = 16
"""Points that approximate a circle."""
MOST_POINTS = 400
"""Maximum points of a mesh."""


def corners_of(geometry: Geometry) -> list[Vec3]:
    """Return points whose hull approximates a collision geometry's outline; empty for infinite planes."""
    size = geometry.size
    match geometry.kind:
        case "box":
            return box_corners((size[0], size[1], size[2]))
        case "sphere":
            return sphere_points(size[0])
        case "cylinder" | "capsule":
            return tube_points(size[0], size[1], geometry.up)
        case "mesh" if geometry.mesh is not None:
            return thinned(geometry.mesh.vertices)
        case "heightfield":
            return grid_corners(size[0], size[1], len(geometry.heights[0]), len(geometry.heights))
    return []


def box_corners(size: Vec3) -> list[Vec3]:
    """Return the corners of a box with these edges (m) around the origin."""
    x, y, z = (length / 2 for length in size)
    return [(a, b, c) for a in (-x, x) for b in (-y, y) for c in (-z, z)]


def _circle(radius: float) -> list[Point]:
    return [(radius * cos(2 * pi * i / CORNERS), radius * sin(2 * pi * i / CORNERS)) for i in range(CORNERS)]


def sphere_points(radius: float) -> list[Vec3]:
    """Three great circles (m)."""
    ring = _circle(radius)
    return [*((a, b, 0.0) for a, b in ring), *((a, 0.0, b) for a, b in ring), *((0.0, a, b) for a, b in ring)]


def tube_points(radius: float, height: float, up: str, top: float | None = None) -> list[Vec3]:
    """Return points of both ends of a cylinder (m) along the axis `up`; `top` is the radius of the upper
    end."""
    ends = ((-height / 2, radius), (height / 2, radius if top is None else top))
    points = [(a, b, z) for z, size in ends for a, b in _circle(size)]
    return [(a, z, -b) for a, b, z in points] if up == "y" else points


def grid_corners(dx: float, dy: float, columns: int, rows: int) -> list[Vec3]:
    """Return the corners of a grid of points with these spacings (m), starting at the origin."""
    x, y = dx * (columns - 1), dy * (rows - 1)
    return [(0.0, 0.0, 0.0), (x, 0.0, 0.0), (x, y, 0.0), (0.0, y, 0.0)]


def thinned(vertices: Iterable[Iterable[float]]) -> list[Vec3]:
    """Return the vertices of a mesh, or every second, third ... if there are many."""
    points = [(float(x), float(y), float(z)) for x, y, z in vertices]
    return points[:: max(1, len(points) // MOST_POINTS)]


def hull(points: Iterable[Point]) -> list[Point]:
    """Return the convex hull, counter-clockwise (Andrew's monotone chain)."""
    ordered = sorted(set(points))
    lower, upper = _chain(ordered), _chain(ordered[::-1])
    return lower[:-1] + upper[:-1]


def _chain(points: list[Point]) -> list[Point]:
    made: list[Point] = []
    for p in points:
        while len(made) > 1 and _turn(made[-2], made[-1], p) <= 0:
            made.pop()
        made.append(p)
    return made


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
