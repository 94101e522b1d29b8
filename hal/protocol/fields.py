"""The types of fields of scene nodes and the bytes of their values."""

from __future__ import annotations

from hal.protocol.errors import ProtocolError
from hal.protocol.layout import Layout

__all__ = ["INSERTED", "MF", "SF_NODE", "TYPE_NAMES", "VALUES", "single", "type_number"]

MF = 16
"""Added to the number of a type for its list."""
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
"""Layouts of single values by the number of their SF type; nodes are another matter in each direction."""
INSERTED = {**VALUES, SF_NODE: Layout("text:str")}
"""The same for values that a controller inserts: a node comes as text."""


def type_number(name: str) -> int:
    """The number of a type by its name.

    Raises:
        ProtocolError: there is no such type.
    """
    for number, one in TYPE_NAMES.items():
        if one == name:
            return number
    raise ProtocolError(f'there is no field type "{name}"; there are {", ".join(TYPE_NAMES.values())}')


def single(type_: int, layouts: dict[int, Layout]) -> Layout:
    """The layout of one value of a type or of its list.

    Raises:
        ProtocolError: there is no such type, or it has no layout.
    """
    layout = layouts.get(type_ & ~MF)
    if layout is None:
        raise ProtocolError(f"there is no value of field type {type_}")
    return layout
