"""Face sets of few corners, such as floors and signs, as tables that the engine reads without numpy.

Most worlds have no others in their first steps, and importing numpy takes 60 ms.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import isfinite
from typing import NamedTuple

from wbridge.wbcore.physics.meshes import triangulated
from wbridge.wbcore.physics.pose import Vec3
from wbridge.wbcore.physics.tree import node_in
from wbridge.wbcore.scene.node import Node

MOST_INDICES = 2000
"""What takes less time here than it takes to import numpy."""
MOST_KEPT = 64
"""Face sets that are kept, for the robots of a model that come in numbers."""
Place = tuple[float, float]


class SmallFaces(NamedTuple):
    """As `wbridge.wbcore.visual.polygons.Polygons`."""

    points: memoryview
    triangles: memoryview
    places: memoryview


def table(rows: Iterable[Sequence[float]], code: str = "d") -> memoryview:
    """Return rows of equal length as a two-dimensional buffer of doubles ("d") or unsigned integers ("I")."""
    kept = list(rows)
    flat = memoryview(array(code, [value for row in kept for value in row]))
    return flat.cast("B").cast(code, shape=(len(kept), len(kept[0])))  # type: ignore[call-overload, no-any-return]


def small_faces(node: Node, scale: Vec3) -> SmallFaces | None:
    """Return the faces of an IndexedFaceSet in a frame with this scale, each corner as a separate point.

    None if there are many, or if they cannot be used: `polygons.face_polygons` knows why.
    """
    indices, coord = list(node.get("coordIndex")), node_in(node, "coord")
    if coord is None or len(indices) > MOST_INDICES:
        return None
    mapped = node_in(node, "texCoord")
    places = None if mapped is None else tuple(map(tuple, mapped.get("point")))
    points = tuple(map(tuple, coord.get("point")))
    return _made(
        tuple(indices), points, scale, bool(node.get("ccw")), tuple(node.get("texCoordIndex")), places
    )


@lru_cache(maxsize=MOST_KEPT)
def _made(
    indices: Sequence[int],
    given: Sequence[Vec3],
    scale: Vec3,
    is_ccw: bool,
    own: Sequence[int],
    mapped: Sequence[Place] | None,
) -> SmallFaces | None:
    """Return the faces with these fields.

    Args:
        indices: coordIndex.
        given: the points of coord.
        scale: of the frame.
        is_ccw: ccw.
        own: texCoordIndex.
        mapped: the points of texCoord; None without one.
    """
    corners = [index for index in indices if index >= 0]
    if not corners or max(corners) >= len(given):
        return None
    sx, sy, sz = scale
    points = [(x * sx, y * sy, z * sz) for x, y, z in (given[corner] for corner in corners)]
    triangles = [
        [face[i] for i in corners] for face in _faces(indices) for corners in triangulated(points, face)
    ]
    if not triangles or not all(isfinite(value) for point in points for value in point):
        return None
    if not is_ccw:
        triangles = [triangle[::-1] for triangle in triangles]
    places = _given_places(mapped, own, corners) or _default_places(points)
    return SmallFaces(table(points), table(triangles, "I"), table(places))


def _faces(indices: Sequence[int]) -> list[range]:
    """Return the corners of each face, numbered over all faces."""
    found, first, count = [], 0, 0
    for index in [*indices, -1]:
        if index >= 0:
            count += 1
        else:
            found.append(range(first, count))
            first = count
    return found


def _given_places(
    places: Sequence[Place] | None, own: Sequence[int], corners: Sequence[int]
) -> list[Place] | None:
    """Return the field texCoord for each corner; None if it is not usable, as in Webots."""
    if places is None:
        return None
    chosen = [index for index in own if index >= 0] if own else corners
    if len(chosen) != len(corners) or max(chosen) >= len(places):
        return None
    return [(u * 1.0 + 0.0, v * -1.0 + 1.0) for u, v in (places[corner] for corner in chosen)]


def _default_places(points: Sequence[Vec3]) -> list[Place]:
    """Default texture coordinates: u along the longest side of the bounding box, v along the second longest,
    with equal scale."""
    low = [min(column) for column in zip(*points, strict=True)]
    size = [max(column) - a for column, a in zip(zip(*points, strict=True), low, strict=True)]
    first, second, _ = sorted(range(3), key=lambda axis: -size[axis])
    length = size[first] or 1.0
    return [((p[first] - low[first]) / length, 1 - (p[second] - low[second]) / length) for p in points]
