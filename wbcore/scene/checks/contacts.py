"""Contact properties: number of coefficients, and repeated pairs of materials (manual, 3.18)."""

from __future__ import annotations

from wbridge.wbcore.scene.checks._checker import Checker, is_unknown
from wbridge.wbcore.scene.node import Node

_MOST = 4


def check_coefficients(node: Node, checker: Checker) -> None:
    """Check that friction and slip have one to four values."""
    for name in ("coulombFriction", "forceDependentSlip"):
        count = len(node.get(name))
        if node.use_of is None and not 1 <= count <= _MOST:
            text = f"ContactProperties.{name} has {count} values; allowed: 1 to {_MOST}"
            checker.warn("friction-values", text, node, name)


def check_pairs(node: Node, checker: Checker) -> None:
    """Check for repeated pairs of materials, in either order, of which only the first is used."""
    if node.use_of is not None:
        return
    seen: set[frozenset[str]] = set()
    for properties in node.get("contactProperties"):
        if is_unknown(properties) or not properties.is_a("ContactProperties"):
            continue
        names = properties.root.get("material1"), properties.root.get("material2")
        if frozenset(names) in seen:
            text = f'ContactProperties for "{names[0]}" and "{names[1]}" stand above already; the first count'
            checker.warn("repeated-pair", text, properties)
        seen.add(frozenset(names))


NODE_RULES = (("ContactProperties", check_coefficients), ("WorldInfo", check_pairs))
