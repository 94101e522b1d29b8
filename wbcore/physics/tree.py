"""Read the scene tree for physics: frames of nodes, names for messages, values in usable form."""

from __future__ import annotations

from collections.abc import Iterator

from wbridge.wbcore.physics.pose import ONE, Pose, Vec3, axis_angle
from wbridge.wbcore.scene.dialect import dialect
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.places import instance_of
from wbridge.wbcore.scene.version import NEWEST


def pose_of(node: Node) -> Pose:
    """Return the pose of a Pose, Transform or Solid in its parent's frame, from its fields."""
    x, y, z, angle = node.get("rotation")
    scale = node.get("scale") if "scale" in node.fields else ONE
    if node.is_a("Solid") or node.is_a("Fluid"):
        scale = (scale[0],) * 3
    return Pose(node.get("translation"), axis_angle((x, y, z), angle), scale)


def is_frame(node: Node) -> bool:
    """Return True for nodes with a translation and a rotation."""
    return node.is_a("Pose") or node.is_a("Transform")


def nodes_in(node: Node, field: str) -> list[Node]:
    """Return the nodes in a field; empty if the node has no such field."""
    if field not in node.spec.fields:
        return []
    value = node.get(field)
    if isinstance(value, Node):
        return [value]
    return [node for node in value if isinstance(node, Node)] if isinstance(value, list) else []


def node_in(node: Node, *fields: str) -> Node | None:
    """Return the built-in node in the first of these fields that is not empty, else None."""
    for field in fields:
        for child in nodes_in(node, field):
            return child.root
    return None


def vectors(node: Node, field: str) -> list[Vec3]:
    """Return the vectors of a field that is one vector in older releases and a list in newer ones."""
    value = node.get(field)
    return [value] if isinstance(value, tuple) else list(value)


def number(node: Node | None, field: str, default: float = 0.0) -> float:
    """Return a number field, or the default if the node or the field is missing."""
    if node is None or field not in node.spec.fields:
        return default
    return float(node.get(field))


def up_of(node: Node) -> str:
    """Return the axis of round shapes, planes and height fields in this node's file: "y" or "z"."""
    conventions = node.source.dialect if node.source is not None else dialect(NEWEST)
    return "z" if conventions.solid_axis[2] else "y"


def node_path(node: Node) -> str:
    """Return a node's path from the top of the world, for messages."""
    return " > ".join(_name(part) for part in reversed(list(_line(node))))


def _line(node: Node) -> Iterator[Node]:
    """Iterate over a node and its named ancestors: solids and nodes with DEF, a PROTO instance as one."""
    start = above = instance_of(node)
    while True:
        if above is start or above.def_name or above.root.is_a("Solid"):
            yield above
        if above.parent is None:
            return
        above = instance_of(above.parent)


def _name(node: Node) -> str:
    """Return the DEF name or type, with the name field in quotes."""
    label = node.def_name or node.type
    root = node.root
    name: object = root.get("name") if "name" in root.spec.fields else ""
    return f'{label} "{name}"' if name and name != "solid" else label
