"""Triangles that all simulations of a process share: equal meshes exist once, as long as one of them is used.

They are found by their content, so a changed file or field gives another mesh.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import numpy as np

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.meshes import Mesh

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MESHES: WeakValueDictionary[bytes, Mesh] = WeakValueDictionary()
_ENGINE_MESHES: WeakValueDictionary[bytes, _engine.Mesh] = WeakValueDictionary()


def shared(mesh: Mesh) -> Mesh:
    """Return the first mesh with the same triangles; its arrays are read-only from now on."""
    made = _MESHES.setdefault(digest_of(mesh.vertices, mesh.triangles), mesh)
    for array in (made.vertices, made.triangles):
        array.setflags(write=False)
    return made


def engine_mesh(vertices: NDArray[np.float64], triangles: NDArray[np.uint32]) -> _engine.Mesh:
    """Return the engine's mesh of vertices (n, 3) in m and triangles (k, 3).

    Raises:
        ValueError: an index is out of range.
    """
    vertices = np.ascontiguousarray(vertices)
    triangles = np.ascontiguousarray(triangles, dtype=np.uint32)
    key = digest_of(vertices, triangles)
    found = _ENGINE_MESHES.get(key)
    if found is None:
        found = _ENGINE_MESHES[key] = _engine.Mesh.of(vertices, triangles)
    return found


def small_mesh(vertices: memoryview, triangles: memoryview) -> _engine.Mesh:
    """Return the engine's mesh of few vertices (n, 3) in m and triangles (k, 3); it does not need numpy.

    Raises:
        ValueError: an index is out of range.
    """
    key = b"small" + vertices.tobytes() + b"/" + triangles.tobytes()
    found = _ENGINE_MESHES.get(key)
    if found is None:
        found = _ENGINE_MESHES[key] = _engine.Mesh.of(vertices, triangles)  # type: ignore[arg-type]
    return found


def digest_of(*arrays: NDArray[Any]) -> bytes:
    """Return a digest of the values and shapes of arrays."""
    import hashlib  # start-up: 4 ms, few worlds have meshes

    made = hashlib.blake2b(digest_size=16)
    for array in arrays:
        made.update(f"{array.dtype.str}{array.shape}".encode())
        made.update(np.ascontiguousarray(array).data)
    return made.digest()
