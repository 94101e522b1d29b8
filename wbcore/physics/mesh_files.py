"""The triangles of Mesh nodes, from their files.

Source: manual, chapter Mesh. Since R2022b COLLADA files are taken to z up and m; earlier releases use their
coordinates as they are.
"""

from __future__ import annotations

from pathlib import Path

from wbridge.wbcore.physics.meshes import Mesh, MeshError, read_mesh
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.textures import find_asset
from wbridge.wbcore.scene.version import Version

FIRST_UPRIGHT = Version.parse("R2022b")


def is_collada(path: Path) -> bool:
    """Return True for a COLLADA file, by its name."""
    return path.suffix.lower() == ".dae"


def mesh_of(world: World, node: Node) -> Mesh:
    """Return the triangles of a Mesh node: of the part and of the material that it names, or all.

    Raises:
        MeshError: the file is missing, or not usable.
    """
    url = next(iter(node.get("url")), "")
    path = find_asset(world, node, url)
    if path is None:
        raise MeshError(f"mesh file '{url}' not found")
    mesh = read_mesh(path, str(node.get("name")))
    if not is_collada(path) and not _is_part(node):
        return mesh
    if node.source is None or node.source.dialect.version >= FIRST_UPRIGHT:
        mesh = mesh.upright()
    index = int(node.get("materialIndex"))
    return mesh.of_material(index) if index >= 0 else mesh


def _is_part(node: Node) -> bool:
    """Return True for the geometry of one material of a CadShape, whose index counts in all formats."""
    shape = node.parent
    return shape is not None and shape.parent is not None and shape.parent.type == "CadShape"
