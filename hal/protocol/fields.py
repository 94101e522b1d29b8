"""The types of node fields and the encoding of their values."""

from __future__ import annotations

from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.layout import Layout

MF = 16
"""Offset of the numbers of MF types from those of SF types."""
SF_NODE = 9
_BASES = ("", "Bool", "Int32", "Float", "Vec2f", "Vec3f", "Rotation", "Color", "String", "Node")
TYPE_NAMES: dict[int, str] = {
    base + number: prefix + name
    for base, prefix in ((0, "SF"), (MF, "MF"))
    for number, name in enumerate(_BASES)
    if name
}
"""Names of the types by number: 1 is SFBool, 25 is MFNode."""

VALUES: dict[int, Layout] = {
    number: Layout(f"value:{type_}")
    for number, type_ in enumerate(
        ("bool", "i32", "f64", "f64*2", "f64*3", "f64*4", "f64*3", "str"),
        1,
    )
}
"""Layouts of single values by the number of their SF type; SFNode differs by direction."""
INSERTED = {**VALUES, SF_NODE: Layout("text:str")}
"""Layouts of values that a controller inserts; nodes are strings."""


def type_number(name: str) -> int:
    """The number of a type by its name.

    Raises:
        ProtocolError: the type does not exist.
    """
    for number, type_name in TYPE_NAMES.items():
        if type_name == name:
            return number
    raise ProtocolError(f'unknown field type "{name}"; allowed: {", ".join(TYPE_NAMES.values())}')


def single(type_: int, layouts: dict[int, Layout]) -> Layout:
    """The layout of a single value, for an SF type or an element of an MF type.

    Raises:
        ProtocolError: the type does not exist or has no layout.
    """
    layout = layouts.get(type_ & ~MF)
    if layout is None:
        raise ProtocolError(f"field type {type_} has no values")
    return layout
