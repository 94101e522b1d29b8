"""Fields of bundled models that a world sets and that have no effect, as the model's own comment says."""

from __future__ import annotations

from wbridge.wbcore.scene.checks._checker import Checker
from wbridge.wbcore.scene.node import Node, values_equal


def check_without_effect(node: Node, checker: Checker) -> None:
    """Report fields that a bundled model only accepts, so that worlds of all releases load."""
    definition = node.proto
    if definition is None or not checker.is_bundled(definition.source.path):
        return
    for name in sorted(definition.spec.unconnected & node.fields.keys()):
        field = node.fields[name]
        if field.given and not values_equal(field.value, definition.spec.fields[name].default):
            text = f"{definition.name}.{name} has no effect: the bundled model is simpler than that of Webots"
            checker.warn("field-without-effect", text, node, name)


NODE_RULES = (("Node", check_without_effect),)
