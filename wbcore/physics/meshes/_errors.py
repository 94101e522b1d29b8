"""The exception of meshes."""

from __future__ import annotations


class MeshError(ValueError):
    """Raised for a mesh that cannot be used; the message says why."""
