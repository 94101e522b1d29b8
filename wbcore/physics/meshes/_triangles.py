"""Meshes as arrays of triangles, built and checked from polygons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


class MeshError(ValueError):
    """Raised for a mesh that cannot be used; the message says why."""


@dataclass(frozen=True, eq=False)
class Mesh:
    """`vertices`: (n, 3) float64, m; `triangles`: (k, 3) uint32, counterclockwise seen from outside."""

    vertices: NDArray[np.float64]
    triangles: NDArray[np.uint32]

    def scaled(self, scale: Sequence[float]) -> Mesh:
        """Return the mesh with scaled coordinates; the same object for a scale of 1."""
        if tuple(scale) == (1.0, 1.0, 1.0):
            return self
        return Mesh(np.ascontiguousarray(self.vertices * np.asarray(scale)), self.triangles)

    def flipped(self) -> Mesh:
        """Return the mesh turned inside out."""
        return Mesh(self.vertices, np.ascontiguousarray(self.triangles[:, ::-1]))


def build(vertices: Iterable[Sequence[float]] | NDArray[np.float64], faces: Iterable[Sequence[int]]) -> Mesh:
    """Build a mesh from polygons, convex or not, given by indices into the vertices.

    Faces with fewer than three different corners are dropped.

    Raises:
        MeshError: an index or a coordinate is invalid, or no triangle is left.
    """
    points = np.array(vertices if isinstance(vertices, np.ndarray) else list(vertices), dtype=np.float64)
    points = np.ascontiguousarray(points.reshape(-1, 3))
    if not np.isfinite(points).all():
        raise MeshError("a vertex is not finite")
    corners: list[Sequence[int]] = []
    for face in faces:
        if min(face, default=0) < 0 or max(face, default=0) >= len(points):
            raise MeshError(f"a face uses vertex {max(face)}, but there are only {len(points)}")
        corners.extend(_triangulated(points, face))
    if not corners:
        raise MeshError("the mesh has no triangles")
    return Mesh(points, np.array(corners, dtype=np.uint32).reshape(-1, 3))


def unknown_name(name: str, known: Iterable[str]) -> MeshError:
    """Return the exception for a geometry that a file does not contain."""
    names = ", ".join(f"'{one}'" for one in dict.fromkeys(known))
    return MeshError(f"no geometry named '{name}'; available: {names or 'none with a name'}")


def from_indices(vertices: NDArray[np.float64], indices: NDArray[np.int64]) -> Mesh:
    """Build a mesh from a list of indices in which -1 ends a face.

    Raises:
        MeshError: an index or a coordinate is invalid, or no triangle is left.
    """
    ends = np.flatnonzero(indices < 0)
    all_triangles = (
        len(ends) > 0
        and len(indices) - ends[-1] <= 4
        and bool((ends == np.arange(3, 4 * len(ends), 4)).all())
    )
    if not all_triangles:
        return build(vertices, _polygons(indices))
    faces = np.append(indices, -1) if len(indices) % 4 == 3 else indices
    corners = faces.reshape(-1, 4)[:, :3]
    a, b, c = corners.T
    corners = corners[(a != b) & (b != c) & (a != c)]
    if len(corners) == 0 or corners.max() >= len(vertices) or not np.isfinite(vertices).all():
        return build(vertices, corners.tolist())
    return Mesh(np.ascontiguousarray(vertices), corners.astype(np.uint32))


def _polygons(indices: NDArray[np.int64]) -> list[list[int]]:
    ends = np.flatnonzero(indices < 0)
    faces = np.split(indices, ends)
    return [[int(one) for one in face if one >= 0] for face in faces]


def _triangulated(points: NDArray[np.float64], face: Sequence[int]) -> list[Sequence[int]]:
    loop = [one for i, one in enumerate(face) if one != face[i - 1]]
    if len(set(loop)) < 3:
        return []
    if len(loop) == 3:
        return [loop]
    return _clip_ears(points, loop)


def _clip_ears(points: NDArray[np.float64], loop: list[int]) -> list[Sequence[int]]:
    """Triangulate a polygon by ear clipping: cut off convex corners that contain no other corner."""
    flat = _projected(points[loop])
    left = list(range(len(loop)))
    made: list[Sequence[int]] = []
    while len(left) > 3:
        at = next((i for i in range(len(left)) if _is_ear(flat, left, i)), 0)
        before, after = left[at - 1], left[(at + 1) % len(left)]
        made.append((loop[before], loop[left[at]], loop[after]))
        del left[at]
    made.append(tuple(loop[i] for i in left))
    return made


def _projected(corners: NDArray[np.float64]) -> list[tuple[float, float]]:
    """Project the corners onto the plane of the polygon, so that it turns counterclockwise."""
    rolled = np.roll(corners, -1, axis=0)
    normal = np.cross(corners, rolled).sum(axis=0)
    axis = int(np.abs(normal).argmax())
    u, v = (axis + 1) % 3, (axis + 2) % 3
    if normal[axis] < 0:
        u, v = v, u
    return [(float(p[u]), float(p[v])) for p in corners]


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
