"""Conversion of field values and node types between the tree and the protocol."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite, sqrt
from typing import Any

from wbridge.hal.protocol.dialect import Dialect
from wbridge.hal.protocol.fields import MF, SF_NODE, TYPE_NAMES
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.schema import FieldSpec

_NUMBERS = {name: number for number, name in TYPE_NAMES.items()}
_ROUNDING = 1e-9
"""Difference of a length from 1 that rounding explains."""
_INT_MIN, _INT_MAX = -(2**31), 2**31 - 1
_WIDTHS = {"Vec2f": 2, "Vec3f": 3, "Rotation": 4, "Color": 3}
NO_NODE = 0
OLD_KINDS = {"Pose": "Transform"}
"""Node types that some dialects know by another name."""


def type_number(spec: FieldSpec) -> int:
    """Return the number of a field's type."""
    return _NUMBERS[spec.type]


def count_of(spec: FieldSpec, value: Any) -> int:
    """A field's length in the protocol: -1 for a single value, 0 or 1 for a single node."""
    if spec.is_list:
        return len(value)
    if spec.is_node:
        return int(value is not None)
    return -1


def node_number(node: Node, dialect: Dialect) -> int:
    """Return the number of a node's base type, or of the nearest type in the dialect."""
    spec = node.root.spec
    for name in (spec.name, OLD_KINDS.get(spec.name, ""), *getattr(spec, "base", ())):
        if name in dialect.numbers:
            return dialect.numbers[name]
    near = [node for node in dialect.nodes if spec.is_a(node)]
    return dialect.numbers[near[-1]] if near else NO_NODE


def sent(spec: FieldSpec, value: object) -> Any:
    """Convert a single value, possibly a list's element, to the form that the protocol sends.

    Raises:
        ValueError: it has the wrong type.
    """
    try:
        return _SENT[spec.type[2:]](value)
    except (TypeError, KeyError):
        raise ValueError(f"the value of {spec.name} is not of type {spec.type}") from None


def _whole(value: Any) -> int:
    return min(max(int(value), _INT_MIN), _INT_MAX)


def _vector(width: int) -> Callable[[Any], tuple[float, ...]]:
    def convert(value: Any) -> tuple[float, ...]:
        made = tuple(float(number) for number in value)
        if len(made) != width:
            raise TypeError
        return made

    return convert


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


_SENT: dict[str, Callable[[Any], Any]] = {
    "Bool": bool,
    "Int32": _whole,
    "Float": float,
    "String": _text,
    **{name: _vector(width) for name, width in _WIDTHS.items()},
}


def received(spec: FieldSpec, type_: int, value: Any) -> Any:
    """Convert a single value from a controller, possibly a list's element, to the form in the tree.

    Raises:
        ValueError: the controller used another field type, or a number is not finite.
    """
    wanted = type_number(spec)
    if type_ != wanted or type_ & ~MF == SF_NODE:
        given = TYPE_NAMES.get(type_, f"type {type_}")
        raise ValueError(f"the field {spec.name} is of type {spec.type}, not {given}")
    numbers = value if isinstance(value, tuple) else (value,)
    if any(isinstance(number, float) and not isfinite(number) for number in numbers):
        raise ValueError(f"the field {spec.name} cannot be set to {value}: only finite numbers are allowed")
    return _with_unit_axis(value) if spec.type[2:] == "Rotation" else value


def _with_unit_axis(rotation: tuple[float, ...]) -> tuple[float, ...]:
    """Return a rotation with an axis of length 1, as Webots stores it (WbRotation::normalizeAxis).

    An axis without direction is returned as it is; what replaces it is reported with its field.
    """
    x, y, z = rotation[:3]
    size = sqrt(x * x + y * y + z * z)
    if size == 0 or abs(1 / size - 1) < _ROUNDING:
        return rotation
    return (*(part / size for part in rotation[:3]), rotation[3])
