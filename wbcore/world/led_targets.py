"""The fields by which LEDs and chargers show their state: colors of the shapes and lights below them."""

from __future__ import annotations

from collections.abc import Iterator

from wbridge.wbcore.scene.node import Node


def led_targets(led: Node) -> Iterator[tuple[Node, str]]:
    """The fields that an LED or a Charger changes: of its first child, of everything in it if it is a
    group."""
    first = next(iter(led.get("children")), None)
    if isinstance(first, Node):
        yield from _below(first.root)


def _below(node: Node) -> Iterator[tuple[Node, str]]:
    """The fields of a shape, a light, or all of them in a group."""
    if node.is_a("Shape"):
        appearance = node.get("appearance")
        made = appearance.root if isinstance(appearance, Node) else None
        if made is not None and made.is_a("Appearance"):
            material = made.get("material")
            made = material.root if isinstance(material, Node) else None
        if made is not None:
            yield made, "emissiveColor"
    elif node.is_a("Light"):
        yield node, "color"
    elif node.is_a("Group"):
        for child in node.get("children"):
            if isinstance(child, Node):
                yield from _below(child.root)
