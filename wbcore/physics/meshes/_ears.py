"""Cut one polygon into triangles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from wbridge.wbcore.physics.meshes._errors import MeshError

Rows: TypeAlias = Sequence[Sequence[float]]
MOST_CORNERS = 1000
"""Corners of a polygon: ear clipping takes time with their cube."""


def check_corners(count: int) -> None:
    """Check the number of corners of a face.

    Raises:
        MeshError: it has too many.
    """
    if count > MOST_CORNERS:
        raise MeshError(f"a face has {count} corners; at most {MOST_CORNERS} are possible")


def triangulated(points: Rows, face: Sequence[int]) -> list[Sequence[int]]:
    """Return the triangles of a polygon of these points, as places in the face; none if it has fewer than
    three different corners.

    Raises:
        MeshError: the polygon has too many corners.
    """
    check_corners(len(face))
    loop = [i for i, corner in enumerate(face) if corner != face[i - 1]]
    if len({face[i] for i in loop}) < 3:
        return []
    if len(loop) == 3:
        return [loop]
    return _clip_ears([points[face[i]] for i in loop], loop)


def _clip_ears(corners: Rows, loop: list[int]) -> list[Sequence[int]]:
    """Triangulate a polygon by ear clipping: cut off convex corners that contain no other corner."""
    flat = _projected(corners)
    left = list(range(len(loop)))
    made: list[Sequence[int]] = []
    while len(left) > 3:
        at = next((i for i in range(len(left)) if _is_ear(flat, left, i)), 0)
        before, after = left[at - 1], left[(at + 1) % len(left)]
        made.append((loop[before], loop[left[at]], loop[after]))
        del left[at]
    made.append(tuple(loop[i] for i in left))
    return made


def _projected(corners: Rows) -> list[tuple[float, float]]:
    """Project the corners onto the plane of the polygon, so that it turns counterclockwise."""
    normal = [0.0, 0.0, 0.0]
    for (ax, ay, az), (bx, by, bz) in zip(corners, [*corners[1:], corners[0]], strict=True):
        normal[0] += ay * bz - az * by
        normal[1] += az * bx - ax * bz
        normal[2] += ax * by - ay * bx
    axis = max(range(3), key=lambda i: abs(normal[i]))
    u, v = (axis + 1) % 3, (axis + 2) % 3
    if normal[axis] < 0:
        u, v = v, u
    return [(row[u], row[v]) for row in corners]


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _is_ear(flat: list[tuple[float, float]], left: list[int], at: int) -> bool:
    a, b, c = flat[left[at - 1]], flat[left[at]], flat[left[(at + 1) % len(left)]]
    if _turn(a, b, c) <= 0:
        return False
    corners = (left[at - 1], left[at], left[(at + 1) % len(left)])
    return not any(
        _turn(a, b, p) >= 0 and _turn(b, c, p) >= 0 and _turn(c, a, p) >= 0
        for p in (flat[i] for i in left if i not in corners)
        if p not in (a, b, c)
    )
