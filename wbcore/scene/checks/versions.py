"""Fields and nodes that the file's release has removed or deprecated, with their replacements."""

from __future__ import annotations

from wbridge.wbcore.scene.checks._checker import Checker
from wbridge.wbcore.scene.node import Node

_NODE_TEXTS = {
    "removed": "{0} is no node of {1} any more",
    "renamed": "{0} has another name since before {1}",
    "deprecated": "{0} is outdated in {1}",
}


def check_release(node: Node, checker: Checker) -> None:
    """Report each name once per file."""
    if node.use_of is not None or node.source is None or node.proto is not None:
        return
    key = "versions", id(node.spec)
    outdated = checker.memory.get(key)
    if outdated is None:
        outdated = checker.memory[key] = {
            name for name, spec in node.spec.fields.items() if spec.removed or spec.deprecated
        }
    status = getattr(node.spec, "status", "current")
    if status in _NODE_TEXTS and _first(node, "", checker):
        text = _NODE_TEXTS[status].format(node.type, node.source.version)
        checker.warn("outdated-node", text + _advice(getattr(node.spec, "replaced_by", "")), node)
    if outdated:
        for name in outdated & node.fields.keys():
            _check_field(node, name, checker)


def _check_field(node: Node, name: str, checker: Checker) -> None:
    field, spec = node.fields[name], node.spec.fields[name]
    if not field.given or field.hidden or field.source is not node.source or not _first(node, name, checker):
        return
    version = node.source.version if node.source else ""
    verb = "is no field of" if spec.removed else "is outdated in"
    text = f"{node.type}.{name} {verb} {version}" + (" any more" if spec.removed else "")
    checker.warn("outdated-field", text + _advice(spec.replaced_by), node, name)


def _first(node: Node, name: str, checker: Checker) -> bool:
    """True for the first use in a file."""
    key = "versions", node.source.path if node.source else "", node.type, name
    if key in checker.memory:
        return False
    checker.memory[key] = True
    return True


def _advice(replaced_by: str) -> str:
    return f"; use {replaced_by}" if replaced_by else "; it has no effect"


NODE_RULES = (("Node", check_release),)
