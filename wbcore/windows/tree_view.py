"""The scene tree for pages: its nodes, the fields of one node, and values that pages set."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from math import isfinite
from typing import Any

from wbridge.wbcore.physics import sync
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.places import field_names, fields_shown, is_internal
from wbridge.wbcore.scene.schema import FieldSpec
from wbridge.wbcore.simulation import Simulation

LOCKED = frozenset("controller controllerArgs remoteControl window physics url proxy importableProto".split())
"""Fields that start programs or name files and addresses: pages show them, but cannot change them."""
MOST_NODES = 20_000
"""Maximum nodes of the tree that pages show."""
MOST_ELEMENTS = 40
"""Elements of a list that pages show."""
LONGEST_TEXT = 400
LARGEST = 1e9
"""Maximum absolute number that a page may set."""
_WIDTHS = {"Vec2f": 2, "Vec3f": 3, "Rotation": 4, "Color": 3}
INT_MIN, INT_MAX = -(2**31), 2**31 - 1
Row = list[Any]


def tree_rows(simulation: Simulation) -> list[Row]:
    """Return the nodes of the scene tree as users see it: a PROTO instance is one node with its parameters.

    Returns:
        number, number of the parent, its field, type, DEF name ("" without), name ("" without), whether it is
        a USE; parents come before their children.
    """
    nodes = simulation.nodes
    rows: list[Row] = []
    stack: list[tuple[Node, int, str]] = [(node, 0, "children") for node in reversed(simulation.world.nodes)]
    while stack and len(rows) < MOST_NODES:
        node, parent, field = stack.pop()
        number = nodes.number(node)
        name = str(node.root.get("name")) if "name" in node.root.spec.fields else ""
        rows.append([number, parent, field, node.type, node.def_name or "", name, node.use_of is not None])
        if node.use_of is None:
            inner = [(child, number, key) for key, child in _children(node)]
            stack.extend(reversed(inner))
    return rows


def _children(node: Node) -> list[tuple[str, Node]]:
    found: list[tuple[str, Node]] = []
    for name, field in node.fields.items():
        value = field.value
        if isinstance(value, Node):
            found.append((name, value))
        elif type(value) is list:
            found += [(name, node) for node in value if isinstance(node, Node)]
    return found


def fields_of(simulation: Simulation, node: Node) -> list[Mapping[str, Any]]:
    """Return the fields of a node with their current values, in the order of supervisors.

    Returns:
        name, type, value (of lists at most `MOST_ELEMENTS`; of nodes their numbers), count (of lists),
        is_default, locked: why pages cannot change it, or "".
    """
    sync.write_place(simulation.physics, node)
    inside = is_internal(node)
    found: list[Mapping[str, Any]] = []
    for name in field_names(node)[: fields_shown(node)]:
        spec, value = node.spec.fields[name], node.get(name)
        entry: dict[str, Any] = {"name": name, "type": spec.type, "locked": _lock(spec, inside)}
        if spec.is_node:
            inner = value if isinstance(value, list) else [value]
            entry["value"] = [
                simulation.nodes.number(each) for each in inner[:MOST_ELEMENTS] if each is not None
            ]
        elif spec.is_list:
            entry["value"] = [_plain(each) for each in islice(value, MOST_ELEMENTS)]
        else:
            entry["value"] = _plain(value)
        if spec.is_list:
            entry["count"] = len(value)
        entry["is_default"] = name not in node.fields or not node.fields[name].is_written
        found.append(entry)
    return found


def _lock(spec: FieldSpec, inside: bool) -> str:
    if inside:
        return "inside a PROTO"
    if spec.name in LOCKED:
        return "starts programs or names files: change it in the world's file"
    return "holds nodes" if spec.is_node else ""


def _plain(value: Any) -> Any:
    """Return a value for JSON; numbers that are not finite as text."""
    if isinstance(value, str):
        return value[:LONGEST_TEXT]
    if isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return float(f"{value:.10g}") if isfinite(value) else str(value)
    return [_plain(float(number)) for number in value]


def given_value(spec: FieldSpec, value: Any, free: Collection[str] = ()) -> Any:
    """Return a page's value for a field, or for an element of a list, as the tree has it.

    Args:
        spec: of the field.
        value: what the page sent.
        free: those of `LOCKED` that pages of this run may change.

    Raises:
        ValueError: the field cannot be changed by pages, or the value has another type.
    """
    if (spec.name in LOCKED and spec.name not in free) or spec.is_node:
        raise ValueError(f"{spec.name}: {_lock(spec, False)}")
    kind = spec.type[2:]
    if kind == "Bool" and isinstance(value, bool):
        return value
    if kind == "String" and isinstance(value, str):
        return value
    if kind == "Int32" and type(value) is int and INT_MIN <= value <= INT_MAX:
        return value
    if kind == "Float" and _is_number(value):
        return float(value)
    is_vector = kind in _WIDTHS and isinstance(value, Sequence) and len(value) == _WIDTHS[kind]
    if is_vector and all(map(_is_number, value)):
        return tuple(float(number) for number in value)
    raise ValueError(f"{spec.name}: expected {_EXPECTED.get(kind, kind)}")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= LARGEST


_EXPECTED = {
    "Bool": "TRUE or FALSE",
    "String": "a text",
    "Int32": "a whole number",
    "Float": f"a number up to {LARGEST:g}",
    **{name: f"{width} numbers up to {LARGEST:g}" for name, width in _WIDTHS.items()},
}
