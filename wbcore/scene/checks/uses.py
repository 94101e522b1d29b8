"""Nodes that USE must not repeat (manual, 7.3) because they have only one place in the world."""

from __future__ import annotations

from wbridge.wbcore.scene.checks._checker import Checker
from wbridge.wbcore.scene.node import Node

_UNIQUE = ("Solid", "Joint", "JointParameters", "BallJointParameters", "Device")


def check_use(node: Node, checker: Checker) -> None:
    """Report USE of solids, joints, joint parameters and devices."""
    if node.use_of is None or node.use_of.is_placeholder:
        return
    root = node.root.spec
    kind = next((name for name in _UNIQUE if root.is_a(name)), None)
    if kind is not None:
        text = (
            f"USE {node.def_name} repeats a node of type {root.name}; no {kind} can be in two places; "
            "write it out again, or make a PROTO of it"
        )
        checker.error("use-not-allowed", text, node)


NODE_RULES = (("Node", check_use),)
