"""Bounding objects that laser beams pass through: those with a fully transparent Shape."""

from __future__ import annotations

from wbridge.wbcore.physics.tree import node_in, number
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.scene.node import Node

TRANSPARENT = 1 << 30
"""The collision category of such geometries; rays whose mask lacks it ignore them."""
SOLID = 1


def mark(physics: PhysicsWorld) -> None:
    """Assign each geometry its current category."""
    handles = physics.handles
    for solid, geoms in handles.geoms_of.items():
        for geom, number_ in zip(geoms, handles.geom_numbers[solid], strict=True):
            node = handles.geoms[number_][1].node
            wanted = TRANSPARENT if _is_transparent(node) else SOLID
            if geom.category != wanted:
                geom.category = wanted


def _is_transparent(geometry: Node) -> bool:
    shape = geometry.parent
    if shape is None or not shape.is_a("Shape"):
        return False
    appearance = node_in(shape.root, "appearance")
    if appearance is None:
        return False
    if appearance.is_a("PBRAppearance"):
        return number(appearance, "transparency") >= 1
    material = node_in(appearance, "material")
    return material is not None and number(material, "transparency") >= 1
