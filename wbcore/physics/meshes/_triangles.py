"""Meshes as arrays of triangles, built and checked from polygons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from wbcore.physics.meshes._materials import MeshMaterial

if TYPE_CHECKING:
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float64]"
Integers: TypeAlias = "NDArray[np.int64]"
Rows: TypeAlias = Sequence[Sequence[float]]
MOST_CORNERS = 1000
"""Corners of a polygon: ear clipping takes time with their cube."""


class MeshError(ValueError):
    """Raised for a mesh that cannot be used; the message says why."""


@dataclass(frozen=True, eq=False)
class Mesh:
    """`vertices`: (n, 3) float64, m; `triangles`: (k, 3) uint32, counterclockwise seen from outside.

    The other attributes are those of a file that has them; physics does not use them.
    """

    vertices: NDArray[np.float64]
    triangles: NDArray[np.uint32]
    normals: Floats | None = None
    """(k, 3, 3): of the corners of triangles; NaN at those without one."""
    places: Floats | None = None
    """(k, 3, 2): texture coordinates of the corners of triangles, u from the left, v from the bottom; NaN at
    those without."""
    parts: Integers | None = None
    """(k,): the number of the part of the file that a triangle belongs to; None if there is only one."""
    materials: Integers | None = None
    """(k,): indices into `palette`; -1 for none."""
    palette: tuple[MeshMaterial, ...] = ()
    libraries: tuple[str, ...] = ()
    """Names of files with the materials of the palette."""
    axes: Floats | None = None
    """(4, 4): takes the axes and the unit of the file to z up and m; None if it has no such convention."""

    def scaled(self, scale: Sequence[float]) -> Mesh:
        """Return the mesh with scaled coordinates; the same object for a scale of 1."""
        if tuple(scale) == (1.0, 1.0, 1.0):
            return self
        factors = np.asarray(scale)
        vertices = np.ascontiguousarray(self.vertices * factors)
        normals = self.normals
        if normals is not None:
            # Multiplied by the cofactors of the scale, normals stay normal, also where a factor is 0.
            x, y, z = scale
            normals = unit_vectors(normals * np.array((y * z, z * x, x * y)))
        return replace(self, vertices=vertices, normals=normals)

    def flipped(self) -> Mesh:
        """Return the mesh turned inside out; normals of a file stay."""
        return replace(
            self,
            triangles=np.ascontiguousarray(self.triangles[:, ::-1]),
            normals=None if self.normals is None else np.ascontiguousarray(self.normals[:, ::-1]),
            places=None if self.places is None else np.ascontiguousarray(self.places[:, ::-1]),
        )

    def placed(self, frame: Floats) -> Mesh:
        """Return the mesh after a transformation (4, 4)."""
        vertices = np.ascontiguousarray(self.vertices @ frame[:3, :3].T + frame[:3, 3])
        normals = self.normals
        if normals is not None:
            normals = unit_vectors(normals @ cofactors(frame[:3, :3]).T)
        return replace(self, vertices=vertices, normals=normals)

    def upright(self) -> Mesh:
        """Return the mesh with z up and in m, if the file states its axes and its unit."""
        return self if self.axes is None else self.placed(self.axes)

    def of_material(self, index: int) -> Mesh:
        """Return the triangles of one material of the palette.

        Raises:
            MeshError: there is no such material, or it has no triangles.
        """
        if index >= len(self.palette):
            raise MeshError(f"there is no material {index}; the file has {len(self.palette)}")
        assert self.materials is not None, "a mesh with a palette has materials"
        chosen = self.materials == index
        if not chosen.any():
            raise MeshError(f"material {index} ('{self.palette[index].name}') has no triangles")
        return self._chosen(chosen)

    def _chosen(self, chosen: NDArray[np.bool_]) -> Mesh:
        """Return some of the triangles, and the vertices that they use."""
        used, numbers = np.unique(self.triangles[chosen], return_inverse=True)
        return replace(
            self,
            vertices=np.ascontiguousarray(self.vertices[used]),
            triangles=np.ascontiguousarray(numbers.reshape(-1, 3), dtype=np.uint32),
            normals=None if self.normals is None else self.normals[chosen],
            places=None if self.places is None else self.places[chosen],
            parts=None if self.parts is None else self.parts[chosen],
            materials=None if self.materials is None else self.materials[chosen],
        )


def unit_vectors(vectors: Floats) -> Floats:
    """Return vectors (..., 3) with a length of 1, or NaN if they have no direction."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
        found: Floats = np.where((lengths > 0) & np.isfinite(lengths), vectors / lengths, np.nan)
    return found


def cofactors(matrix: Floats) -> Floats:
    """Return the cofactors of a matrix (3, 3), which take normals through it."""
    a, b, c = matrix
    return np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)])


def build(vertices: Iterable[Sequence[float]] | NDArray[np.float64], faces: Iterable[Sequence[int]]) -> Mesh:
    """Build a mesh from polygons, convex or not, given by indices into the vertices.

    Faces with fewer than three different corners are dropped.

    Raises:
        MeshError: an index or a coordinate is invalid, or no triangle is left.
    """
    return build_from_corners(vertices, faces)[0]


def build_from_corners(
    vertices: Iterable[Sequence[float]] | NDArray[np.float64], faces: Iterable[Sequence[int]]
) -> tuple[Mesh, Integers]:
    """Build a mesh as `build` does; return also which corners its triangles have: (k, 3), counted over all
    faces.

    Raises:
        MeshError: an index or a coordinate is invalid, or no triangle is left.
    """
    points = np.array(vertices if isinstance(vertices, np.ndarray) else list(vertices), dtype=np.float64)
    points = np.ascontiguousarray(points.reshape(-1, 3))
    if not np.isfinite(points).all():
        raise MeshError("a vertex is not finite")
    rows = points.tolist()  # few numbers at a time: faster than arrays
    corners: list[int] = []
    numbers: list[int] = []
    first = 0
    for face in faces:
        if len(face) and (min(face) < 0 or max(face) >= len(points)):
            raise MeshError(f"a face uses vertex {max(face)}, but there are only {len(points)}")
        for places in triangulated(rows, face):
            corners.extend(face[one] for one in places)
            numbers.extend(first + one for one in places)
        first += len(face)
    if not corners:
        raise MeshError("the mesh has no triangles")
    triangles = np.array(corners, dtype=np.uint32).reshape(-1, 3)
    return Mesh(points, triangles), np.array(numbers, dtype=np.int64).reshape(-1, 3)


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


def triangulated(points: Rows, face: Sequence[int]) -> list[Sequence[int]]:
    """Return the triangles of a polygon of these points, as places in the face; none if it has fewer than
    three different corners.

    Raises:
        MeshError: the polygon has too many corners.
    """
    if len(face) > MOST_CORNERS:
        raise MeshError(f"a face has {len(face)} corners; at most {MOST_CORNERS} are possible")
    loop = [i for i, one in enumerate(face) if one != face[i - 1]]
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
