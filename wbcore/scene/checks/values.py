"""Values of fields: ranges, integers beyond 32 bits, axes of length 0, PROTO restrictions."""

from __future__ import annotations

from typing import Any

from wbridge.wbcore.scene import resets
from wbridge.wbcore.scene.checks._checker import Checker
from wbridge.wbcore.scene.diagnostics import did_you_mean
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.ranges import Range
from wbridge.wbcore.scene.schema import FieldSpec
from wbridge.wbcore.scene.values import shown_value

_CODES = {"range": "out-of-range", "int32": "too-large", "axis": "no-direction", "uniform": "not-uniform"}


def check_values(node: Node, checker: Checker) -> None:
    """Report each invalid value, and what the simulator uses instead."""
    if node.use_of is not None:
        return
    key = "values", id(node.spec)
    watched = checker.memory.get(key)
    if watched is None:
        watched = checker.memory[key] = _watched(node)
    if not watched:
        return
    for name, field in node.fields.items():
        entry = watched.get(name)
        if entry is not None:
            found = resets.fault(entry[0], entry[1], field.value, node.get)
            if found is None and resets.is_stretched(node, entry[0], field.value):
                found = "uniform"
            if found is not None:
                _report(node, entry, field.value, found, checker)


def _watched(node: Node) -> dict[str, tuple[FieldSpec, Range | None]]:
    """Return the fields of a node type whose values may be invalid."""
    found = {}
    for name, spec in node.spec.fields.items():
        allowed = resets.range_of(node, spec)
        whole_or_axis = ("Int32",) if node.body is not None else ("Int32", "Rotation")
        if not spec.is_node and (allowed is not None or spec.type[2:] in whole_or_axis):
            found[name] = spec, allowed
    return found


def _report(
    node: Node, entry: tuple[FieldSpec, Range | None], value: Any, found: str, checker: Checker
) -> None:
    spec, allowed = entry
    if found == "axis" and len(value) == 4 and value[3] == 0:
        return  # an axis of length 0 with an angle of 0 is the identity
    wanted = {
        "axis": "an axis must have a length",
        "uniform": "the three values must be equal",
        "int32": f"a whole number is from {resets.INT32_MIN} to {resets.INT32_MAX}",
    }.get(found, f"allowed: {allowed}")
    text = f"{_where(node, spec, allowed, value)}; {wanted}; {_instead(node, spec, value)}"
    if isinstance(value, str) and allowed is not None:
        text += did_you_mean(value, [value for value in allowed.values if isinstance(value, str)])
    checker.warn(_CODES[found], text, node, spec.name)


def _where(node: Node, spec: FieldSpec, allowed: Range | None, value: Any) -> str:
    """Describe the value; for a list, its first invalid element."""
    label = f"{node.type}.{spec.name}"
    if not spec.is_list or allowed is None:
        return f"{label} is {shown_value(value)}"
    for index, element in enumerate(value):
        if not allowed.contains(element):
            return f"value {index + 1} of {label} is {shown_value(element)}"
    return f"{label} has {len(value)} values"


def _instead(node: Node, spec: FieldSpec, value: Any) -> str:
    if node.body is not None:
        return "used all the same"
    new = resets.replacement(node, spec, value)
    if new is value or new == value:
        return "used all the same"
    return "ignored" if spec.is_list and not len(new) else f"{shown_value(new)} is used instead"


NODE_RULES = (("Node", check_values),)
