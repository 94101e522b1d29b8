"""Stereolithography .stl files, binary and text; equal corners are merged into one vertex.

Each facet has a normal; one of length 0 counts as none.
"""

from __future__ import annotations

import re
import struct
from array import array
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from wbridge.wbcore.physics.meshes._corners import CornerValues, limited, rows
from wbridge.wbcore.physics.meshes._errors import MeshError
from wbridge.wbcore.physics.meshes._faces import Faces
from wbridge.wbcore.physics.meshes._triangles import Mesh, build_from_corners, unknown_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

_HEADER = 80
_WORD = re.compile(rb"\S+")
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
        return _text(data)
    raise MeshError("neither a binary nor a text STL file, or truncated")


def _text(data: bytes) -> Mesh:
    corners, normals = array("d"), array("d")
    vectors = {b"vertex": corners, b"normal": normals}
    words = (match[0] for match in _WORD.finditer(data))  # all of them at once would take much memory
    for word in words:
        if word in vectors:
            _read_vector(word, words, vectors[word])
    if len(corners) % (3 * 3):
        raise MeshError(f"{len(corners) // 3} vertices are not a whole number of triangles")
    return _merged(rows(corners, 3), rows(normals, 3))


def _read_vector(keyword: bytes, words: Iterator[bytes], numbers: array[float]) -> None:
    """Add the three numbers after a keyword."""
    try:
        numbers.extend([float(next(words)) for _ in range(3)])
    except (StopIteration, ValueError):
        raise MeshError(f"a {keyword.decode()} does not have three numbers") from None
    limited(len(numbers) // 3)


def _merged(corners: NDArray[np.float64], normals: NDArray[np.float64]) -> Mesh:
    """Return the mesh of corners (3 k, 3), with normals (k, 3) unless their number is wrong."""
    points, index = np.unique(corners, axis=0, return_inverse=True)
    faces = Faces(index.reshape(-1).astype(np.int64), np.full(len(corners) // 3, 3))
    mesh, chosen = build_from_corners(points, faces)
    values = CornerValues(chosen)
    if 3 * len(normals) == len(corners):
        values.set_normals(normals, np.repeat(np.arange(len(normals)), 3))
    return values.applied(mesh)
