"""Values that replace those of a world's fields for one run: `E_PUCK.translation[0]` = `0.3`.

A place is a chain of names, a field, and optionally the index of a component, or of a row and a component of
a list of vectors. A name is a DEF name, the field `name` of a robot, solid or device, or a type that occurs
once, such as WorldInfo. Names are searched below the node before, also inside PROTO instances. A name can
also be a field of the node before that contains a node: `physics`, `contactProperties[1]`. The place
`contacts` is the law of contact (see `wbridge.wbcore.scene.contact_law`).
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from wbridge.wbcore.scene import contact_law
from wbridge.wbcore.scene.diagnostics import Report, did_you_mean
from wbridge.wbcore.scene.node import Node, walk
from wbridge.wbcore.scene.parser import Parser
from wbridge.wbcore.scene.places import is_internal, visible_field
from wbridge.wbcore.scene.schema import FieldSpec, schema
from wbridge.wbcore.scene.source import SourceFile
from wbridge.wbcore.scene.values import VecArray, copied
from wbridge.wbcore.scene.world import World

_INDEX = re.compile(r"([^\[]*)\[(\d{1,9})\](?:\[(\d{1,9})\])?")
MOST_LISTED = 8
"""Fields of a node in a message."""


class OverrideError(ValueError):
    """A place or a value is invalid; the message has one line for each."""


class FieldPlace(NamedTuple):
    """A field of a node, or one component of it."""

    node: Node
    field: str
    component: int | None
    part: int | None = None
    """The component of a row, in fields with lists of vectors."""

    @property
    def value(self) -> Any:
        """The current value of the field or component."""
        value = self.node.get(self.field)
        value = value if self.component is None else value[self.component]
        return value if self.part is None else value[self.part]


def set_fields(world: World, values: Mapping[str, str]) -> None:
    """Set fields of a loaded world, in the given order.

    Args:
        world: without errors, not yet simulated.
        values: values as in a world file, by place; quotes around strings may be left out.

    Raises:
        OverrideError: a place or a value is invalid; all of them are named, and fields may have been set.
    """
    problems = []
    for place, text in values.items():
        try:
            if place == contact_law.PLACE:
                contact_law.choose_law(world, text)
            else:
                _set(world, field_place(world, place), text)
        except ValueError as problem:
            problems.append(f"{place}={text}: {problem}")
    if problems:
        raise OverrideError("\n".join(problems))


def field_place(world: World, text: str) -> FieldPlace:
    """Find a field of a world.

    Raises:
        OverrideError: the text is not a place, or the world has no such node, field or component.
    """
    names, dot, field = text.rpartition(".")
    if not dot or not names or not field:
        raise OverrideError(f'"{text}" is not NODE.FIELD, for example WorldInfo.gravity')
    index = part = None
    match = _INDEX.fullmatch(field)
    if match is not None:
        field, index = match[1], int(match[2])
        part = None if match[3] is None else int(match[3])
    node = find_node(world, names)
    if node.spec.fields.get(field) is None:
        known = list(node.spec.fields)
        hint = did_you_mean(field, known) or f"; it has {', '.join(known[:MOST_LISTED])}, ..."
        raise OverrideError(f'{names} ({node.type}) has no field "{field}"{hint}')
    place = FieldPlace(node, field, index, part)
    if index is not None:
        _check_index(place)
    return place


def is_saved(place: FieldPlace) -> bool:
    """True if a saved world contains the value; False if it is fixed inside of a PROTO."""
    node = place.node
    return not is_internal(node) or visible_field(node, node.field(place.field)) is not None


def _check_index(place: FieldPlace) -> None:
    value = place.node.get(place.field)
    if not isinstance(value, tuple | list | array | VecArray):
        raise OverrideError(f"{place.field} has one value; leave out [{place.component}]")
    if place.component is not None and place.component >= len(value):
        allowed = f"allowed: 0 to {len(value) - 1}" if len(value) else "it is empty"
        raise OverrideError(f"{place.field}[{place.component}] does not exist; {allowed}")
    if place.part is None or place.component is None:
        return
    row = value[place.component] if isinstance(value, VecArray) else None
    if row is None or place.part >= len(row):
        allowed = "it is one number" if row is None else f"allowed: 0 to {len(row) - 1}"
        raise OverrideError(f"{place.field}[{place.component}][{place.part}] does not exist; {allowed}")


def find_node(world: World, names: str) -> Node:
    """Return the node that a chain of names leads to; names may contain dots themselves.

    Raises:
        OverrideError: there is no such node.
    """
    found, rest = _first(world.nodes, names)
    while found is not None and rest:
        inner, after = _in_field(found, rest)
        if inner is None:
            inner, after = _first(found.child_nodes() if found.body is None else [found.body], rest)
        if inner is None:
            raise OverrideError(f'{found.type} has no node "{rest}" in it{_nearest(rest, [found.root])}')
        found, rest = inner, after
    if found is None:
        raise OverrideError(f'no node "{names}" in {world.path}{_nearest(names, world.nodes)}')
    return found


def _in_field(node: Node, names: str) -> tuple[Node | None, str]:
    """Return the node in the field that a chain of names begins with, and the other names."""
    name, _, after = names.partition(".")
    match = _INDEX.fullmatch(name)
    field, index = (match[1], int(match[2])) if match is not None else (name, None)
    holder = next(
        (candidate for candidate in (node.definition, node.root) if field in candidate.spec.fields), None
    )
    value = holder.get(field) if holder is not None else None
    if index is not None:
        value = value[index] if isinstance(value, list) and index < len(value) else None
    return (value, after) if isinstance(value, Node) else (None, names)


def _first(below: Iterable[Node], names: str) -> tuple[Node | None, str]:
    """Return the first node named by the longest beginning of a chain of names, and the other names."""
    nodes = [node for node in walk(list(below)) if node.use_of is None]
    parts = names.split(".")
    for count in range(len(parts), 0, -1):
        name = ".".join(parts[:count])
        for named in (_has_def, _has_name, _is_only):
            match = next((node for node in nodes if named(node, name, nodes)), None)
            if match is not None:
                return match, ".".join(parts[count:])
    return None, names


def _has_def(node: Node, name: str, _: list[Node]) -> bool:
    return node.def_name == name


def _has_name(node: Node, name: str, _: list[Node]) -> bool:
    return "name" in node.spec.fields and node.get("name") == name


def _is_only(node: Node, name: str, nodes: list[Node]) -> bool:
    return node.type == name and sum(node.type == name for node in nodes) == 1


def _nearest(name: str, nodes: list[Node]) -> str:
    return did_you_mean(name, list(dict.fromkeys(_names(nodes))))


def _names(nodes: list[Node]) -> Iterator[str]:
    for node in walk(nodes):
        if node.def_name:
            yield node.def_name
        if "name" in node.spec.fields:
            yield str(node.get("name"))
        yield node.type


def _set(world: World, place: FieldPlace, text: str) -> None:
    spec = place.node.spec.fields[place.field]
    if place.component is None:
        world.set(place.node, place.field, _parsed(world, spec, text))
        return
    value = place.node.get(place.field)
    if isinstance(value, VecArray) and place.part is not None:
        world.set(place.node, place.field, _with_part(value, place.component, place.part, spec, text))
        return
    changed = copied(value) if isinstance(value, VecArray | array) else list(value)
    changed[place.component] = _component(value, spec, text)
    world.set(place.node, place.field, tuple(changed) if isinstance(value, tuple) else changed)


def _with_part(value: VecArray, row: int, part: int, spec: FieldSpec, text: str) -> VecArray:
    changed: VecArray = copied(value)
    vector = list(changed[row])
    vector[part] = _component(vector, spec, text)
    changed[row] = tuple(vector)
    return changed


def _component(value: object, spec: FieldSpec, text: str) -> Any:
    if isinstance(value, VecArray) or spec.type in ("MFNode", "MFBool"):
        hint = f"write {spec.name}[row][component], or" if isinstance(value, VecArray) else ""
        raise OverrideError(f"rows of {spec.type} cannot be set; {hint} give the whole value of {spec.name}")
    if spec.type == "MFString":
        return text
    try:
        return int(text) if spec.type == "MFInt32" else float(text)
    except ValueError:
        raise OverrideError(f'"{text}" is not a number') from None


def _parsed(world: World, spec: FieldSpec, text: str) -> Any:
    """Read a value as in a world file."""
    if spec.type.endswith("Node"):
        raise OverrideError(f"{spec.name} contains nodes, which cannot be set here")
    is_bare = spec.type == "SFString" and not text.startswith('"')
    written = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"' if is_bare else text
    report = Report()
    source = SourceFile("value", written + "\n", world.version)
    value, end = Parser(source, report, schema(world.version), _no_proto).value(spec, 0)
    if report.errors:
        raise OverrideError("; ".join(error.message for error in report.errors))
    if written[end:].strip():
        raise OverrideError(f'"{written[end:].strip()}" is left over; {spec.name} is of type {spec.type}')
    return value


def _no_proto(name: str, source: SourceFile, offset: int) -> None:
    return None
