"""Instantiates a PROTO body: copies its nodes and binds every IS to the instance's field."""

from __future__ import annotations

from typing import Any

from wbridge.wbcore.scene.node import Field, Node, adopt, copy_tree, use, walk
from wbridge.wbcore.scene.values import copied


class Binder:
    """Copies a body for one instance.

    A field that IS a parameter becomes the instance's own Field object. A node has only one place in the
    tree, so a parameter with nodes is copied for each further use. After `bind`, `instances` holds the PROTO
    instances of the new body, and `extra` those in such copies, which belong to the file of the instance.
    """

    def __init__(self, parameters: dict[str, Field]) -> None:
        self.instances: list[Node] = []
        self.extra: list[Node] = []
        self.count = 0
        self._parameters = parameters
        self._placed: set[str] = set()
        self._copies: dict[Node, Node] = {}
        self._uses: list[Node] = []
        self._open: list[tuple[Node, Node]] = []

    def bind(self, template: Node) -> Node:
        """Return the new body; the template is not changed."""
        top = self._node(template)
        while self._open:
            old, new = self._open.pop()
            for name, field in old.fields.items():
                new.fields[name] = self._field(field, new)
        for node in self._uses:
            target = self._copies[node.definition]
            node.use_of, node.fields = target, target.fields
        return top

    def _node(self, node: Node) -> Node:
        if node.use_of is not None:
            made = use(node.use_of, node.source, node.offset)
            self._uses.append(made)
            return made
        made = Node(node.spec, node.source, node.offset, node.def_name, node.proto)
        made.type, made.is_placeholder = node.type, node.is_placeholder
        self.count += 1
        self._copies[node] = made
        self._open.append((node, made))
        if made.proto is not None or made.is_placeholder:
            self.instances.append(made)
        return made

    def _field(self, field: Field, parent: Node) -> Field:
        if field.is_name is None:
            value = self._value(field.value, parent)
            return Field(field.spec, value, field.source, field.offset, None, field.given, field.hidden)
        bound = self._parameters[field.is_name]
        if not _has_nodes(bound.value):
            return bound
        if field.is_name in self._placed:
            return self._second(bound, parent)
        self._placed.add(field.is_name)
        adopt(parent, bound.value)
        return bound

    def _second(self, bound: Field, parent: Node) -> Field:
        value = bound.value
        again = copy_tree(value) if isinstance(value, Node) else [copy_tree(item) for item in value]
        adopt(parent, again)
        for node in walk(again, into_protos=False):
            self.count += 1
            if node.proto is not None or node.is_placeholder:
                self.extra.append(node)
        return Field(bound.spec, again, bound.source, bound.offset)

    def _value(self, value: Any, parent: Node) -> Any:
        if isinstance(value, Node):
            made = self._node(value)
            made.parent = parent
            return made
        if _has_nodes(value):
            made_list = [self._node(item) for item in value]
            for node in made_list:
                node.parent = parent
            return made_list
        return copied(value)


def _has_nodes(value: object) -> bool:
    return isinstance(value, Node) or (type(value) is list and bool(value) and isinstance(value[0], Node))
