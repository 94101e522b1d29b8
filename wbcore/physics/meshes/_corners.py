"""Values at the corners of triangles, chosen from lists of a file; and the limit of their number."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from wbridge.wbcore.physics.meshes._errors import MeshError
from wbridge.wbcore.physics.meshes._materials import MeshMaterial
from wbridge.wbcore.physics.meshes._triangles import Mesh, unit_vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["CornerValues", "integers", "limited", "limited_names", "rows"]

MOST = 6_000_000
"""Vertices, or corners of faces, of a file."""
MOST_NAMES = 100_000
"""Objects, materials, or combinations of both, of a file."""
Floats: TypeAlias = "NDArray[np.float64]"
Integers: TypeAlias = "NDArray[np.int64]"


def integers(values: array[int]) -> Integers:
    """Return collected whole numbers."""
    return np.array(values, dtype=np.int64)


def rows(values: array[float], size: int) -> Floats:
    """Return collected numbers, so many a row, without a copy."""
    return np.frombuffer(values, dtype=np.float64).reshape(-1, size)


def limited(count: int) -> None:
    """Check a number of vertices or corners.

    Raises:
        MeshError: it is too large.
    """
    if count > MOST:
        raise MeshError(f"more than {MOST:,} vertices or corners of faces")


def limited_names(count: int) -> None:
    """Check a number of objects or materials.

    Raises:
        MeshError: it is too large.
    """
    if count > MOST_NAMES:
        raise MeshError(f"more than {MOST_NAMES:,} objects or materials")


class CornerValues:
    """Attributes of a mesh whose triangles have the corners `chosen` (k, 3), counted over all faces."""

    def __init__(self, chosen: Integers) -> None:
        self._chosen = chosen
        self._normals: Floats | None = None
        self._places: Floats | None = None
        self.parts: Integers | None = None
        self.materials: Integers | None = None

    def set_normals(self, vectors: Floats, indices: Sequence[int] | Integers) -> None:
        """Set normals (n, 3) by an index for each corner; -1 for none."""
        self._normals = self._picked(unit_vectors(vectors), indices)

    def set_places(self, places: Floats, indices: Sequence[int] | Integers) -> None:
        """Set texture coordinates (n, 2) by an index for each corner; -1 for none."""
        self._places = self._picked(np.where(np.isfinite(places), places, np.nan), indices)

    def of_triangles(self, values: Sequence[int] | Integers) -> Integers:
        """Return the values of triangles from those of all corners."""
        return np.asarray(values, dtype=np.int64)[self._chosen[:, 0]]

    def _picked(self, values: Floats, indices: Sequence[int] | Integers) -> Floats | None:
        """Return the values at the corners of triangles, NaN where an index is invalid; None without any."""
        chosen = np.asarray(indices, dtype=np.int64)[self._chosen]
        is_valid = (chosen >= 0) & (chosen < len(values))
        if not is_valid.any():
            return None
        found = np.full((*chosen.shape, values.shape[1]), np.nan)
        found[is_valid] = values[chosen[is_valid]]
        return found

    def applied(
        self, mesh: Mesh, palette: tuple[MeshMaterial, ...] = (), libraries: tuple[str, ...] = ()
    ) -> Mesh:
        """Return the mesh with the attributes."""
        return replace(
            mesh,
            normals=self._normals,
            places=self._places,
            parts=self.parts,
            materials=self.materials,
            palette=palette,
            libraries=libraries,
        )
