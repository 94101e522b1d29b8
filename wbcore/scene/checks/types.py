"""Node types allowed in a field, by the manual and by restrictions in PROTO interfaces."""

from __future__ import annotations

from typing import Any

from wbridge.wbcore.scene.checks._checker import Checker, is_unknown
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.schema import FieldSpec


def check_types(node: Node, checker: Checker) -> None:
    """Report nodes that a field does not accept; missing models are not checked."""
    if node.use_of is not None:
        return
    key = "types", id(node.spec)
    restricted = checker.memory.get(key)
    if restricted is None:
        fields = node.spec.fields.items()
        restricted = checker.memory[key] = {name: spec for name, spec in fields if spec.allowed}
    for name, spec in restricted.items():
        field = node.fields.get(name)
        if field is not None and field.value:
            for child in _nodes(field.value):
                if not _accepts(spec, child):
                    _report(node, spec, child, checker)


def _nodes(value: Any) -> list[Node]:
    return [value] if isinstance(value, Node) else [element for element in value if isinstance(element, Node)]


def _accepts(spec: FieldSpec, child: Node) -> bool:
    if is_unknown(child) or child.type in spec.allowed:
        return True
    root = child.root.spec
    return any(root.is_a(name) for name in spec.allowed)


def _report(node: Node, spec: FieldSpec, child: Node, checker: Checker) -> None:
    root = child.root.type
    found = root if root == child.type else f"{child.type} (a {root})"
    known = ", ".join(spec.allowed)
    checker.error(
        "wrong-node-type", f"{found} is not allowed in {node.type}.{spec.name}; allowed: {known}", child
    )


NODE_RULES = (("Node", check_types),)
