"""Mesh files: one module per format.

Each module without a leading underscore is named after a file suffix ("obj", "stl", "dae") and has

    read(data: bytes, name: str) -> Mesh      raises MeshError if the file cannot be read
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from pathlib import Path

from wbridge.wbcore.physics.meshes._corners import CornerValues
from wbridge.wbcore.physics.meshes._ears import triangulated
from wbridge.wbcore.physics.meshes._errors import MeshError
from wbridge.wbcore.physics.meshes._materials import MeshMaterial, read_materials
from wbridge.wbcore.physics.meshes._triangles import (
    Mesh,
    build,
    build_from_corners,
    from_indices,
    unit_vectors,
)

__all__ = [
    "MAX_BYTES",
    "CornerValues",
    "Mesh",
    "MeshError",
    "MeshMaterial",
    "build",
    "build_from_corners",
    "from_indices",
    "read_materials",
    "read_mesh",
    "suffixes",
    "triangulated",
    "unit_vectors",
]

MAX_BYTES = 128 * 1024 * 1024
FARTHEST = 1e12
"""The largest coordinate, so that areas and normals do not overflow."""


def suffixes() -> list[str]:
    """Return the supported suffixes, without dots, sorted."""
    return sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))


def read_mesh(path: Path, name: str = "") -> Mesh:
    """Return the triangles of a mesh file in its own units and axes: of the geometry with this name, or of
    all.

    Raises:
        MeshError: the format is unknown, the file cannot be read, or it has no geometry of this name.
    """
    suffix = path.suffix.lower().lstrip(".")
    if suffix not in suffixes():
        known = ", ".join(f".{suffix}" for suffix in suffixes())
        raise MeshError(f"{path}: unknown mesh format; known formats: {known}")
    try:
        state = path.stat()
        if state.st_size > MAX_BYTES:
            raise MeshError(f"the file is larger than {MAX_BYTES >> 20} MB")
        return _cached(path.absolute(), name, (state.st_ino, state.st_size, state.st_mtime_ns))
    except OSError as problem:
        raise MeshError(f"{path}: {problem.strerror}") from problem
    except MeshError as problem:
        raise MeshError(f"{path}: {problem}") from problem


@lru_cache(maxsize=64)
def _cached(path: Path, name: str, state: tuple[int, ...]) -> Mesh:
    """Read a file once for all nodes that use it; `state` makes a changed file a new entry."""
    found: Mesh = import_module(f".{path.suffix.lower().lstrip('.')}", __name__).read(path.read_bytes(), name)
    if abs(found.vertices).max() > FARTHEST:
        raise MeshError(f"a coordinate is larger than {FARTHEST:g}")
    return found
