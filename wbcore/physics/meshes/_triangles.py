"""Meshes as arrays of triangles, built and checked from polygons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from wbridge.wbcore.physics.exact_sums import along_rows
from wbridge.wbcore.physics.meshes._ears import MOST_CORNERS, check_corners
from wbridge.wbcore.physics.meshes._errors import MeshError
from wbridge.wbcore.physics.meshes._faces import Faces, cut
from wbridge.wbcore.physics.meshes._materials import MeshMaterial

if TYPE_CHECKING:
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float64]"
Integers: TypeAlias = "NDArray[np.int64]"


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
        vertices = np.ascontiguousarray(along_rows(self.vertices, frame[:3, :3]) + frame[:3, 3])
        normals = self.normals
        if normals is not None:
            normals = unit_vectors(along_rows(normals, cofactors(frame[:3, :3])))
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
    vertices: Iterable[Sequence[float]] | NDArray[np.float64], faces: Iterable[Sequence[int]] | Faces
) -> tuple[Mesh, Integers]:
    """Build a mesh as `build` does; return also which corners its triangles have: (k, 3), counted over all
    faces.

    Raises:
        MeshError: an index or a coordinate is invalid, or no triangle is left.
    """
    points = _points(vertices)
    return _cut(points, faces if isinstance(faces, Faces) else _as_faces(list(faces), len(points)))


def _points(vertices: Iterable[Sequence[float]] | NDArray[np.float64]) -> Floats:
    points = np.array(vertices if isinstance(vertices, np.ndarray) else list(vertices), dtype=np.float64)
    points = np.ascontiguousarray(points.reshape(-1, 3))
    if not np.isfinite(points).all():
        raise MeshError("a vertex is not finite")
    return points


def _as_faces(faces: list[Sequence[int]], points: int) -> Faces:
    lengths = np.array([len(face) for face in faces], dtype=np.int64)
    try:
        vertices = np.array([corner for face in faces for corner in face], dtype=np.int64)
    except OverflowError:
        used = max(max(face, default=0) for face in faces)
        raise MeshError(f"a face uses vertex {used}, but there are only {points}") from None
    return Faces(vertices, lengths)


def _cut(points: Floats, faces: Faces) -> tuple[Mesh, Integers]:
    _check(points, faces)
    numbers = cut(points, faces)
    if not len(numbers):
        raise MeshError("the mesh has no triangles")
    return Mesh(points, faces.vertices[numbers].astype(np.uint32)), numbers


def _check(points: Floats, faces: Faces) -> None:
    """Raise MeshError for the first face that cannot be cut."""
    wrong = (faces.vertices < 0) | (faces.vertices >= len(points))
    is_long = faces.lengths > MOST_CORNERS
    if not (wrong.any() or is_long.any()):
        return
    owners = np.repeat(np.arange(len(faces.lengths)), faces.lengths.astype(np.intp))
    first = int(min([*owners[wrong][:1], *np.flatnonzero(is_long)[:1]]))
    face = faces.face(first)
    if wrong[owners == first].any():
        raise MeshError(f"a face uses vertex {max(face)}, but there are only {len(points)}")
    check_corners(len(face))


def unknown_name(name: str, known: Iterable[str]) -> MeshError:
    """Return the exception for a geometry that a file does not contain."""
    names = ", ".join(f"'{name}'" for name in dict.fromkeys(known))
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
        return _cut(_points(vertices), _polygons(indices))[0]
    faces = np.append(indices, -1) if len(indices) % 4 == 3 else indices
    corners = faces.reshape(-1, 4)[:, :3]
    a, b, c = corners.T
    corners = corners[(a != b) & (b != c) & (a != c)]
    if len(corners) == 0 or corners.max() >= len(vertices) or not np.isfinite(vertices).all():
        return build(vertices, corners.tolist())
    return Mesh(np.ascontiguousarray(vertices), corners.astype(np.uint32))


def _polygons(indices: NDArray[np.int64]) -> Faces:
    ends = np.flatnonzero(indices < 0)
    lengths = np.diff([-1, *ends, len(indices)]) - 1
    return Faces(indices[indices >= 0], lengths)
