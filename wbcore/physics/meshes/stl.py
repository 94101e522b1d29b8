"""Stereolithography .stl files, binary and text; equal corners become one vertex."""

from __future__ import annotations

import struct

import numpy as np
from numpy.typing import NDArray

from ._triangles import Mesh, MeshError, build, unknown_name

_HEADER = 80
_FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def read(data: bytes, name: str = "") -> Mesh:
    """All facets of the file; its solid has no name that counts.

    Raises:
        MeshError: a name is asked for, the file is cut short, a number is malformed or there is no facet.
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
    raise MeshError("this is neither a binary nor a text STL file, or it is cut short")


def _text(text: str) -> Mesh:
    words = text.split()
    try:
        corners = [[float(x) for x in words[i + 1 : i + 4]] for i, w in enumerate(words) if w == "vertex"]
        points = np.array(corners, dtype=np.float64).reshape(-1, 3)
    except ValueError:
        raise MeshError("a vertex is not made of three numbers") from None
    if len(points) % 3:
        raise MeshError(f"{len(points)} vertices are not a whole number of triangles")
    return _merged(points)


def _merged(corners: NDArray[np.float64]) -> Mesh:
    points, index = np.unique(corners, axis=0, return_inverse=True)
    return build(points, index.reshape(-1, 3).tolist())
