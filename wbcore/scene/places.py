"""Places of nodes in the scene tree, as supervisors see it.

A supervisor sees a PROTO instance as one node: the outermost one of the tree. A node given as a parameter
belongs to the instance, not to the place inside the body that uses the parameter.
"""

from __future__ import annotations

from typing import NamedTuple

from wbridge.wbcore.scene.node import Field, Node, NodeType


class Place(NamedTuple):
    """The node and field that contain a node; without a holder, the top level of the world."""

    holder: Node | None
    field: Field | None
    name: str
    is_body: bool
    """True if the holder is a part of a PROTO's body, so that the node is inside the PROTO."""


def instance_of(node: Node) -> Node:
    """Return the outermost PROTO instance whose body is this node; other nodes return themselves."""
    while node.parent is not None and node.parent.body is node:
        node = node.parent
    return node


def place(node: Node) -> Place:
    """Return the place of a node: a parameter rather than the body's field that is bound to it."""
    node = instance_of(node)
    above = node.parent
    if above is None:
        return Place(None, None, "children", False)
    name, field = _holding(above, node)
    found = above
    for instance in _instances_around(above):
        for parameter, parameter_field in instance.fields.items():
            if parameter_field is field:
                found, name = instance, parameter
    return Place(instance_of(found), field, name, instance_of(found) is not found)


def _holding(above: Node, node: Node) -> tuple[str, Field | None]:
    for name, field in above.fields.items():
        value = field.value
        if value is node or (type(value) is list and any(element is node for element in value)):
            return name, field
    return "", None


def _instances_around(node: Node) -> list[Node]:
    """Return the instances whose bodies contain a node, and the node if it is a body, innermost first."""
    found = []
    above: Node | None = node
    while above is not None and above.parent is not None:
        if above.parent.body is above:
            found.append(above.parent)
        above = above.parent
    return found


def is_internal(node: Node) -> bool:
    """True for nodes inside a PROTO that the scene tree does not show."""
    above: Node | None = node
    while above is not None:
        where = place(above)
        if where.is_body:
            return True
        above = where.holder
    return False


def inside_of(node: Node | None, outer: Node) -> bool:
    """True if a node is `outer` or inside it."""
    while node is not None:
        if node is outer:
            return True
        node = node.parent
    return False


def layers(node: Node) -> list[Node]:
    """Return the PROTO instances that form a node, outermost first; empty for a built-in node."""
    found = []
    definition = node.definition
    while definition.body is not None:
        found.append(definition)
        definition = definition.body
    return found


def field_names(node: Node) -> tuple[str, ...]:
    """Return the fields of a node (or layer), ordered by their numbers in the protocol."""
    return _fields(node.spec)[1]


def fields_shown(node: Node) -> int:
    """The number of fields that supervisors see."""
    return _fields(node.spec)[2]


_KEPT = 2000
_BY_TYPE: dict[int, tuple[NodeType, tuple[str, ...], int]] = {}


def _fields(spec: NodeType) -> tuple[NodeType, tuple[str, ...], int]:
    """Return all fields of a type, those of its release first, and the number of the latter."""
    known = _BY_TYPE.get(id(spec))
    if known is None or known[0] is not spec:
        now = [name for name, field in spec.fields.items() if not (field.removed or field.deprecated)]
        others = [name for name, field in spec.fields.items() if field.removed or field.deprecated]
        if len(_BY_TYPE) >= _KEPT:
            _BY_TYPE.clear()
        known = _BY_TYPE[id(spec)] = (spec, (*now, *others), len(now))
    return known


def visible_field(node: Node, field: Field) -> tuple[Node, str] | None:
    """Return the node and field name in the scene tree that match a field inside a PROTO."""
    found: tuple[Node, str] | None = None
    for instance in [*([node] if node.body is not None else []), *_instances_around(node)]:
        for name, inner_field in instance.fields.items():
            if inner_field is field and instance_of(instance) is instance and not is_internal(instance):
                found = instance, name
    return found
