"""Stereolithography .stl files, binary and text; equal corners are merged into one vertex.

Each facet has a normal; one of length 0 counts as none.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import numpy as np

from wbridge.wbcore.physics.meshes._corners import CornerValues, limited
from wbridge.wbcore.physics.meshes._errors import MeshError
from wbridge.wbcore.physics.meshes._triangles import Mesh, build_from_corners, unknown_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

_HEADER = 80
_FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def read(data: bytes, name: str = "") -> Mesh:
    """Return all facets of the file; STL has no named geometries.

    Raises:
        MeshError: a name is given, the file is truncated, a number is malformed or there is no facet.
    """
    if name:
        raise unknown_name(name, ())
    if len(data) >= _HEADER + 4:
        (count,) = struct.unpack_from("<I", data, _HEADER)
        if len(data) == _HEADER + 4 + count * _FACET.itemsize:
            limited(3 * count)
            facets = np.frombuffer(data, _FACET, count, _HEADER + 4)
            corners, normals = (facets[name].astype(np.float64) for name in ("corners", "normal"))
            return _merged(corners.reshape(-1, 3), normals)
    if data[:6].lower().startswith(b"solid"):
        return _text(data.decode("ascii", "replace"))
    raise MeshError("neither a binary nor a text STL file, or truncated")


def _text(text: str) -> Mesh:
    words = text.split()
    limited(words.count("vertex"))
    corners = _after(words, "vertex")
    if len(corners) % 3:
        raise MeshError(f"{len(corners)} vertices are not a whole number of triangles")
    return _merged(corners, _after(words, "normal"))


def _after(words: list[str], keyword: str) -> NDArray[np.float64]:
    """Return the three numbers after each keyword: (n, 3)."""
    try:
        found = [[float(x) for x in words[i + 1 : i + 4]] for i, w in enumerate(words) if w == keyword]
        return np.array(found, dtype=np.float64).reshape(-1, 3)
    except ValueError:
        raise MeshError(f"a {keyword} does not have three numbers") from None


def _merged(corners: NDArray[np.float64], normals: NDArray[np.float64]) -> Mesh:
    """Return the mesh of corners (3 k, 3), with normals (k, 3) unless their number is wrong."""
    points, index = np.unique(corners, axis=0, return_inverse=True)
    mesh, chosen = build_from_corners(points, index.reshape(-1, 3).tolist())
    values = CornerValues(chosen)
    if 3 * len(normals) == len(corners):
        values.set_normals(normals, np.repeat(np.arange(len(normals)), 3))
    return values.applied(mesh)
