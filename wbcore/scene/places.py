"""Where nodes stand, as supervisors see the tree.

To them a PROTO instance is one node: the outermost one of our tree, whatever bodies hang in it. A node given
as a parameter belongs to the instance, not to the place inside of the body where the parameter is used.
"""

from __future__ import annotations

from typing import NamedTuple

from wbcore.scene.node import Field, Node, NodeType

__all__ = [
    "Place",
    "field_names",
    "fields_shown",
    "inside_of",
    "instance_of",
    "is_internal",
    "layers",
    "place",
]
__all__ += ["visible_field"]


class Place(NamedTuple):
    """The node and the field that hold a node; no holder: it stands at the top of the world."""

    holder: Node | None
    field: Field | None
    name: str
    is_body: bool
    """The holder is a part of a PROTO's body, so the node is inside of the PROTO."""


def instance_of(node: Node) -> Node:
    """The PROTO instance that a node is the body of, however many PROTOs lie between; else the node
    itself."""
    while node.parent is not None and node.parent.body is node:
        node = node.parent
    return node


def place(node: Node) -> Place:
    """What holds a node; a parameter rather than the field of the body that it is bound to."""
    node = instance_of(node)
    above = node.parent
    if above is None:
        return Place(None, None, "children", False)
    name, field = _holding(above, node)
    found = above
    for instance in _instances_around(above):
        for parameter, one in instance.fields.items():
            if one is field:
                found, name = instance, parameter
    return Place(instance_of(found), field, name, instance_of(found) is not found)


def _holding(above: Node, node: Node) -> tuple[str, Field | None]:
    for name, field in above.fields.items():
        value = field.value
        if value is node or (type(value) is list and any(one is node for one in value)):
            return name, field
    return "", None


def _instances_around(node: Node) -> list[Node]:
    """The instances in whose bodies a node stands, and itself if it is a body, from the inside out."""
    found = []
    one: Node | None = node
    while one is not None and one.parent is not None:
        if one.parent.body is one:
            found.append(one.parent)
        one = one.parent
    return found


def is_internal(node: Node) -> bool:
    """True for what stands inside of a PROTO and is not shown in the scene tree."""
    one: Node | None = node
    while one is not None:
        where = place(one)
        if where.is_body:
            return True
        one = where.holder
    return False


def inside_of(node: Node | None, outer: Node) -> bool:
    """True when a node is `outer` or stands somewhere in it."""
    while node is not None:
        if node is outer:
            return True
        node = node.parent
    return False


def layers(node: Node) -> list[Node]:
    """The PROTO instances that a node is made of, from the outermost on; empty for a built-in node."""
    found = []
    one = node.definition
    while one.body is not None:
        found.append(one)
        one = one.body
    return found


def field_names(node: Node) -> tuple[str, ...]:
    """The fields of a node (or layer) by the numbers that the protocol gives them."""
    return _fields(node.spec)[1]


def fields_shown(node: Node) -> int:
    """The number of fields that supervisors see."""
    return _fields(node.spec)[2]


_KEPT = 2000
_BY_TYPE: dict[int, tuple[NodeType, tuple[str, ...], int]] = {}


def _fields(spec: NodeType) -> tuple[NodeType, tuple[str, ...], int]:
    """The fields of a type: those of its release first, whose number is the last value, then all others."""
    known = _BY_TYPE.get(id(spec))
    if known is None or known[0] is not spec:
        now = [name for name, one in spec.fields.items() if not (one.removed or one.deprecated)]
        others = [name for name, one in spec.fields.items() if one.removed or one.deprecated]
        if len(_BY_TYPE) >= _KEPT:
            _BY_TYPE.clear()
        known = _BY_TYPE[id(spec)] = (spec, (*now, *others), len(now))
    return known


def visible_field(node: Node, field: Field) -> tuple[Node, str] | None:
    """The node and name of the field in the scene tree that is the same as a field inside of a PROTO."""
    found: tuple[Node, str] | None = None
    for instance in [*([node] if node.body is not None else []), *_instances_around(node)]:
        for name, one in instance.fields.items():
            if one is field and instance_of(instance) is instance and not is_internal(instance):
                found = instance, name
    return found
