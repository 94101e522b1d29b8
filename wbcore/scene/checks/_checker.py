"""One pass over a world's nodes: selects the rules of each node and reports findings."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

from wbridge.wbcore.scene.diagnostics import Report
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.places import instance_of
from wbridge.wbcore.scene.source import SourceFile


class Checker:
    """The interface of rules: the world, the nodes by type, and reporting.

    A finding is placed at a field if the file contains the field, else at its node.
    """

    def __init__(self, world: World, node_rules: tuple[tuple[str, NodeRule], ...] = ()) -> None:
        self.world = world
        self.report: Report = world.report
        bundled = f"{world.builtin}{os.sep}protos{os.sep}" if world.builtin else "\0"
        self._bundled = "\0" if os.path.abspath(world.path).startswith(bundled) else bundled
        self.is_model = world.path.endswith(".proto")
        """True if a PROTO file is checked alone: it has no WorldInfo and may be a part of a robot."""
        self.memory: dict[Any, Any] = {}
        """Data that rules keep between calls; keys start with the name of the family."""
        self._node_rules = node_rules
        self._rules_of: dict[int, tuple[NodeRule, ...]] = {}
        self._seen: dict[str, list[Node]] = {}

    def visit_all(self) -> None:
        """Call the node rules for every node. A USE has no children here; its contents are checked at the
        definition."""
        stack = self.world.nodes[::-1]
        rules_of, seen = self._rules_of, self._seen
        while stack:
            node = stack.pop()
            if not (node.is_placeholder or is_placeholder_body(node)):
                spec = node.spec
                rules = rules_of.get(id(spec))
                if rules is None:
                    rules = rules_of[id(spec)] = self._rules_for(node)
                if node.body is None:
                    seen.setdefault(spec.name, []).append(node)
                for rule in rules:
                    rule(node, self)
            if node.use_of is None:
                if node.body is not None:
                    stack.append(node.body)
                else:
                    stack.extend(reversed(list(node.child_nodes())))

    def _rules_for(self, node: Node) -> tuple[NodeRule, ...]:
        return tuple(rule for name, rule in self._node_rules if name == "Node" or node.spec.is_a(name))

    def all(self, type_name: str) -> Iterator[Node]:
        """Yield every visited built-in node, or USE, that is, or derives from, a type."""
        for nodes in self._seen.values():
            if nodes[0].spec.is_a(type_name):
                yield from nodes

    def error(self, code: str, text: str, node: Node, field: str = "") -> None:
        """Report a problem that cannot work."""
        self.report.error(code, text, *place(node, field))

    def warn(self, code: str, text: str, node: Node, field: str = "") -> None:
        """Report something that is replaced, ignored or probably a mistake.

        Bundled models are not reported: users cannot change them.
        """
        self.warn_at(code, text, *place(node, field))

    def warn_at(self, code: str, text: str, source: SourceFile | None, offset: int) -> None:
        """Report a warning at a place that is not a field of a node."""
        if source is None or not self.is_bundled(source.path):
            self.report.warning(code, text, source, offset)

    def is_bundled(self, path: str) -> bool:
        """True for files of bundled models, unless such a model itself is checked."""
        return os.path.abspath(path).startswith(self._bundled)


NodeRule = Callable[[Node, Checker], None]
WorldRule = Callable[[Checker], None]


def place(node: Node, field: str = "") -> tuple[SourceFile | None, int]:
    """Return file and offset of a node's field in the file, else of the node itself."""
    found = node.fields.get(field)
    if found is not None and found.source is not None and found.offset >= 0:
        return found.source, found.offset
    return node.source, node.offset


def is_placeholder_body(node: Node) -> bool:
    """True for the Solid that replaces a missing model."""
    above = node.parent
    return above is not None and above.is_placeholder and above.body is node


def above(node: Node) -> Node | None:
    """Return the built-in node that contains a node, skipping PROTO instances in between."""
    found = node.parent
    while found is not None and (found.body is not None or found.proto is not None):
        found = found.parent
    return found


def nearest(node: Node, type_name: str) -> Node | None:
    """Return the closest node above that is, or derives from, a type; None if there is none."""
    found = above(node)
    while found is not None and not found.spec.is_a(type_name):
        found = above(found)
    return found


def field_of(node: Node) -> str:
    """Return the name of the built-in field that contains a node; "" at the top level."""
    node = instance_of(node)
    if node.parent is None:
        return ""
    for name, field in node.parent.fields.items():
        value = field.value
        if value is node or (type(value) is list and any(element is node for element in value)):
            return name
    return ""


def is_unknown(node: Node) -> bool:
    """True for a missing model, or a PROTO that could not be expanded."""
    definition = node.definition
    while definition.body is not None:
        if definition.is_placeholder:
            return True
        definition = definition.body.definition
    return definition.is_placeholder or definition.proto is not None


def is_guarded(node: Node) -> bool:
    """True if a missing model is above a node, so that its surroundings are unknown."""
    found: Node | None = node
    while found is not None:
        if found.is_placeholder:
            return True
        found = found.parent
    return False
