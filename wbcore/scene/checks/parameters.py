"""Parameters of PROTOs that have no effect (WbProtoModel::verifyAliasing in the public source of Webots)."""

from __future__ import annotations

from wbridge.wbcore.scene.checks._checker import Checker
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.proto import ProtoDefinition


def check_parameters(node: Node, checker: Checker) -> None:
    """Report parameters without IS, once for each PROTO; template statements may use theirs."""
    definition = node.proto
    if definition is None or definition.bound is None or ("parameters", definition) in checker.memory:
        return
    checker.memory["parameters", definition] = True
    for name in definition.spec.fields:
        if name not in definition.bound and name not in definition.spec.unconnected:
            _report(definition, name, checker)


def _report(definition: ProtoDefinition, name: str, checker: Checker) -> None:
    text = (
        f"parameter '{name}' of PROTO {definition.name} has no effect: no 'IS {name}' is in the body; "
        "connect it, or declare it with 'unconnectedField'"
    )
    checker.warn_at("unconnected-parameter", text, definition.source, definition.places.get(name, 0))


NODE_RULES = (("Node", check_parameters),)
