"""WorldInfo: gravity as a vector or a number."""

from __future__ import annotations

from wbridge.wbcore.scene.checks._checker import Checker
from wbridge.wbcore.scene.node import Node


def check_gravity(node: Node, checker: Checker) -> None:
    """Check the form of gravity: a vector in old files, a number since R2020b."""
    field = node.fields.get("gravity")
    if field is None or node.source is None:
        return
    version, vector = node.source.version, isinstance(field.value, tuple)
    wanted = node.spec.fields["gravity"].type == "SFVec3f"
    if vector != wanted:
        found, right = ("a vector", "a number (m/s2)") if vector else ("a number", "a vector (m/s2)")
        text = f"WorldInfo.gravity is {found}; files of {version} have {right} there; used as it is meant"
        checker.warn("gravity-form", text, node, "gravity")


NODE_RULES = (("WorldInfo", check_gravity),)
