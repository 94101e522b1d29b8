"""Nodes that have no effect without a bounding object, Physics or a motor."""

from __future__ import annotations

from wbridge.wbcore.scene.checks._checker import Checker, nearest
from wbridge.wbcore.scene.node import Node


def check_needs_bounding(node: Node, checker: Checker) -> None:
    """Check that bumpers and tracks, which need contacts, and fluids have a boundingObject."""
    if node.use_of is None and node.get("boundingObject") is None:
        lack = {"Track": "it moves nothing", "Fluid": "it has no effect"}.get(node.type, "it feels nothing")
        text = f'{node.type} "{node.get("name")}" has no boundingObject; {lack}'
        checker.warn("no-bounding-object", text, node)


def check_force_sensor(node: Node, checker: Checker) -> None:
    """Check that a force sensor, and the solid that it is fixed to, have Physics."""
    if node.use_of is not None or node.get("type") not in ("force", "force-3d"):
        return
    if node.get("physics") is None:
        text = f'TouchSensor "{node.get("name")}" measures forces but has no Physics; it measures nothing'
        checker.warn("no-physics", text, node, "type")


def check_propeller(node: Node, checker: Checker) -> None:
    """Check that a propeller has a motor and a solid with Physics."""
    if node.use_of is not None:
        return
    if node.get("device") is None:
        checker.warn("no-motor", "Propeller has no RotationalMotor in its device field; it never turns", node)
    solid = nearest(node, "Solid")
    if solid is not None and solid.get("physics") is None:
        text = f'Propeller stands in "{solid.get("name")}", which has no Physics; it moves nothing'
        checker.warn("no-physics", text, node)


NODE_RULES = (
    ("Fluid", check_needs_bounding),
    ("Track", check_needs_bounding),
    ("TouchSensor", check_needs_bounding),
    ("TouchSensor", check_force_sensor),
    ("Propeller", check_propeller),
)
