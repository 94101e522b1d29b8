"""Cut polygons into triangles: many triangles and quadrilaterals at a time, other polygons one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from wbridge.wbcore.physics.meshes._ears import triangulated

if TYPE_CHECKING:
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float64]"
Integers: TypeAlias = "NDArray[np.int64]"
Booleans: TypeAlias = "NDArray[np.bool_]"

FEW = 32
"""Up to so many faces, arrays take longer than one face at a time."""


@dataclass(frozen=True, eq=False)
class Faces:
    """Polygons: the vertices of all corners, and the number of corners of each.

    Lists of lists would take ten times as much memory.
    """

    vertices: Integers
    lengths: Integers

    @property
    def starts(self) -> Integers:
        """Number of the first corner of each face."""
        found: Integers = np.cumsum(self.lengths) - self.lengths
        return found

    def face(self, number: int) -> list[int]:
        """Return the vertices of one face."""
        start = int(self.starts[number])
        found: list[int] = self.vertices[start : start + int(self.lengths[number])].tolist()
        return found


def joined(faces: Sequence[Faces]) -> Faces:
    """Return all faces, those of the first ones first."""
    none = np.empty(0, np.int64)
    return Faces(
        np.concatenate([none, *(part.vertices for part in faces)]),
        np.concatenate([none, *(part.lengths for part in faces)]),
    )


def cut(points: Floats, faces: Faces) -> Integers:
    """Return the triangles (k, 3) of all faces in their order, as numbers of corners counted over all faces.

    Faces with fewer than three different corners have none.
    """
    starts = faces.starts
    if len(starts) <= FEW:
        return _cut_one_by_one(points, faces, starts, np.arange(len(starts)))[1]
    threes = _of_different_corners(faces, starts, 3)
    fours = _of_different_corners(faces, starts, 4)
    squares, is_sure = _cut_quadrilaterals(points[faces.vertices[starts[fours][:, None] + np.arange(4)]])
    fours = fours[is_sure]
    lone = np.setdiff1d(np.flatnonzero(faces.lengths > 3), fours)
    owners, places = _cut_one_by_one(points, faces, starts, lone)
    # The triangles of a face follow each other, and faces keep their order.
    order = np.argsort(np.concatenate([threes, np.repeat(fours, 2), owners]), kind="stable")
    triangles = [
        starts[threes][:, None] + np.arange(3),
        (starts[fours][:, None, None] + squares[is_sure]).reshape(-1, 3),
        places,
    ]
    found: Integers = np.concatenate(triangles)[order]
    return found


def _of_different_corners(faces: Faces, starts: Integers, count: int) -> Integers:
    """Return the numbers of the faces with so many corners, all at different vertices."""
    found: Integers = np.flatnonzero(faces.lengths == count)
    ordered = np.sort(faces.vertices[starts[found][:, None] + np.arange(count)], axis=1)
    different: Integers = found[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)]
    return different


def _cut_one_by_one(
    points: Floats, faces: Faces, starts: Integers, numbers: Integers
) -> tuple[Integers, Integers]:
    """Return the triangles of some faces: their faces (k,), and the numbers of their corners (k, 3)."""
    rows = points.tolist() if len(numbers) else []  # few numbers at a time: faster than arrays
    owners: list[int] = []
    places: list[Sequence[int]] = []
    for number in numbers.tolist():
        start = int(starts[number])
        face = faces.vertices[start : start + int(faces.lengths[number])].tolist()
        for triangle in triangulated(rows, face):
            owners.append(number)
            places.append([start + corner for corner in triangle])
    return np.array(owners, dtype=np.int64), np.array(places, dtype=np.int64).reshape(-1, 3)


def _cut_quadrilaterals(corners: Floats) -> tuple[Integers, Booleans]:
    """Cut quadrilaterals (n, 4, 3) as ear clipping does.

    Returns:
        Places of the corners of two triangles of each (n, 2, 3), and whether they are sure: numbers that
        are too large have no plane.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        flat, is_sure = _projected(corners)
        ears = np.stack([_is_ear(np.roll(flat, 1 - at, axis=1)) for at in range(4)], axis=1)
    at = np.argmax(ears, axis=1)  # the first one; 0 without any
    ear = (at[:, None] + np.array((-1, 0, 1))) % 4
    rest = np.sort((at[:, None] + np.array((1, 2, 3))) % 4, axis=1)
    return np.stack([ear, rest], axis=1), is_sure


def _projected(corners: Floats) -> tuple[Floats, Booleans]:
    """Project quadrilaterals onto their planes, (n, 4, 2), so that they turn counterclockwise; return also
    which have finite normals."""
    normals = np.zeros((len(corners), 3))
    for at in range(4):  # sums in the order of ear clipping: the same bits
        (ax, ay, az), (bx, by, bz) = corners[:, at].T, corners[:, (at + 1) % 4].T
        normals += np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=1)
    axis = np.argmax(np.abs(normals), axis=1)
    is_behind = normals[np.arange(len(axis)), axis] < 0
    u, v = (axis + 1) % 3, (axis + 2) % 3
    chosen = np.stack([np.where(is_behind, v, u), np.where(is_behind, u, v)], axis=1)
    flat: Floats = np.take_along_axis(corners, chosen[:, None, :], axis=2)
    is_finite: Booleans = np.isfinite(np.abs(normals).max(axis=1))
    return flat, is_finite


def _is_ear(flat: Floats) -> Booleans:
    """Return which quadrilaterals (n, 4, 2) have an ear at their second corner."""
    a, b, c, other = (flat[:, at] for at in range(4))
    is_inside = (_turn(a, b, other) >= 0) & (_turn(b, c, other) >= 0) & (_turn(c, a, other) >= 0)
    for corner in (a, b, c):
        is_inside &= (other != corner).any(axis=1)
    found: Booleans = (_turn(a, b, c) > 0) & ~is_inside
    return found


def _turn(a: Floats, b: Floats, c: Floats) -> Floats:
    found: Floats = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    return found
