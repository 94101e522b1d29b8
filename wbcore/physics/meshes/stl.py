"""Stereolithography .stl files, binary and text; equal corners are merged into one vertex."""

from __future__ import annotations

import struct

import numpy as np
from numpy.typing import NDArray

from wbcore.physics.meshes._triangles import Mesh, MeshError, build, unknown_name

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
            facets = np.frombuffer(data, _FACET, count, _HEADER + 4)
            return _merged(facets["corners"].astype(np.float64).reshape(-1, 3))
    if data[:6].lower().startswith(b"solid"):
        return _text(data.decode("ascii", "replace"))
    raise MeshError("neither a binary nor a text STL file, or truncated")


def _text(text: str) -> Mesh:
    words = text.split()
    try:
        corners = [[float(x) for x in words[i + 1 : i + 4]] for i, w in enumerate(words) if w == "vertex"]
        points = np.array(corners, dtype=np.float64).reshape(-1, 3)
    except ValueError:
        raise MeshError("a vertex does not have three numbers") from None
    if len(points) % 3:
        raise MeshError(f"{len(points)} vertices are not a whole number of triangles")
    return _merged(points)


def _merged(corners: NDArray[np.float64]) -> Mesh:
    points, index = np.unique(corners, axis=0, return_inverse=True)
    return build(points, index.reshape(-1, 3).tolist())
