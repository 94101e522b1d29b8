"""Vertices as the renderer draws them, and normals of polygons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from wbridge.wbcore.physics.pose import Vec3
from wbridge.wbcore.render.single import single

if TYPE_CHECKING:
    from numpy.typing import NDArray

FLOATS = 8
"""Numbers per vertex: position, normal, texture coordinates."""
Points: TypeAlias = "NDArray[np.float64]"
Corners: TypeAlias = "NDArray[np.uint32]"
Integers: TypeAlias = "NDArray[np.int64]"


@dataclass(frozen=True, eq=False)
class Vertices:
    """`data`: (n, 8) float32 position (m), normal, u from the left, v from the top; `indices`: (k, 3), or
    (k, 2) for lines, or (k, 1) for points. For lines and points the normal is a color."""

    data: NDArray[np.float32]
    indices: Corners

    @classmethod
    def of(cls, points: object, normals: object, places: object, indices: object) -> Vertices:
        """Combine arrays of positions (n, 3), normals (n, 3) and texture coordinates (n, 2)."""
        data = np.concatenate([points, normals, places], axis=1)
        return cls(single(data), np.ascontiguousarray(indices, dtype=np.uint32))

    def extent(self) -> tuple[Vec3, float, Vec3]:
        """Return the center and radius of a sphere around all vertices, and half the edges of a box."""
        points = self.data[:, :3].astype(np.float64)
        low, high = points.min(axis=0), points.max(axis=0)
        center, half = (low + high) / 2, (high - low) / 2
        radius = float(np.sqrt(((points - center) ** 2).sum(axis=1).max()))
        return _triple(center), radius, _triple(half)


def _triple(values: Points) -> Vec3:
    x, y, z = values.tolist()
    return x, y, z


def joined(parts: list[Vertices]) -> Vertices:
    """Return several sets as one."""
    starts = np.cumsum([0] + [len(part.data) for part in parts[:-1]])
    indices = [part.indices + np.uint32(start) for part, start in zip(parts, starts, strict=True)]
    return Vertices(np.concatenate([part.data for part in parts]), np.concatenate(indices))


def unique_rows(rows: NDArray[np.float32]) -> tuple[NDArray[np.float32], Integers]:
    """Return the different rows in ascending order, and the number of each row among them.

    The same as `numpy.unique` along an axis, in a third of its time: columns sort faster than records.
    """
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    is_new = np.ones(len(rows), dtype=bool)
    is_new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    numbers = np.empty(len(rows), dtype=np.int64)
    numbers[order] = np.cumsum(is_new) - 1
    return ordered[is_new], numbers


def triangle_normals(points: Points, triangles: Corners) -> Points:
    """Return normals (k, 3) of triangles, as long as twice their areas."""
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return np.cross(b - a, c - a)


def creased(points: Points, triangles: Corners, angle: float) -> Points:
    """Return normals (k, 3, 3) for the corners of triangles.

    At a corner, the normals of all triangles with this vertex that differ by less than the crease angle (rad)
    are added, weighted by area.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        areas = np.nan_to_num(triangle_normals(points, triangles))
    lengths = np.linalg.norm(areas, axis=1, keepdims=True)
    units = areas / np.where(lengths > 0, lengths, 1)
    flat = np.repeat(units[:, None, :], 3, axis=1)
    if angle <= 0:
        return flat
    corners = triangles.ravel().astype(np.intp)  # as numpy counts, in pages by 32 bits
    order = np.argsort(corners, kind="stable")
    counts = np.bincount(corners, minlength=len(points))[corners[order]]
    starts = np.searchsorted(corners[order], corners[order])
    # All pairs of corners at the same vertex.
    first = np.repeat(np.arange(len(order)), counts)
    within = np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts, counts)
    mine, other = order[first], order[starts[first] + within]
    together = (units[mine // 3] * units[other // 3]).sum(axis=1) > np.cos(min(angle, np.pi)) - 1e-9
    sums = np.zeros((len(corners), 3))
    np.add.at(sums, mine[together], areas[other[together] // 3])
    size = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.where(size > 0, sums / np.where(size > 0, size, 1), flat.reshape(-1, 3)).reshape(-1, 3, 3)
