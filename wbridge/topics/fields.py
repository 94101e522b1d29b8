"""Describe the fields of a node type in rows of text."""

from __future__ import annotations

from typing import Any, NamedTuple

from wbridge.wbcore.scene.node import NodeType
from wbridge.wbcore.scene.schema import FieldSpec


class FieldRow(NamedTuple):
    """A field as a row of a table."""

    name: str
    type: str
    default: str
    values: str
    """The allowed values, the unit, and the release that introduced the field; mostly ""."""


def field_rows(spec: NodeType) -> list[FieldRow]:
    """Return the fields that users may write, inherited ones first."""
    fields = [field for field in spec.fields.values() if not (field.hidden or field.removed)]
    return [
        FieldRow(field.name, field.type, value_text(field.type, field.default), _values(field))
        for field in fields
    ]


def value_text(kind: str, value: Any) -> str:
    """Return a value as it stands in a world file.

    Args:
        kind: the type of the field, for example "SFVec3f".
        value: its value in the form of the tree.
    """
    if kind.startswith("MF"):
        return f"[ {', '.join(value_text('SF' + kind[2:], one) for one in value)} ]" if len(value) else "[ ]"
    if kind == "SFNode":
        return "NULL" if value is None else str(value)
    if kind == "SFBool":
        return "TRUE" if value else "FALSE"
    if kind == "SFString":
        return f'"{value}"'
    numbers = value if isinstance(value, (tuple, list)) or hasattr(value, "__len__") else [value]
    return " ".join(f"{number:.9g}" for number in numbers)


def _values(field: FieldSpec) -> str:
    parts = [str(field.range) if field.range else "", field.unit, ", ".join(field.allowed)]
    parts.append(f"since {field.since}" if field.since else "")
    parts.append("deprecated" if field.deprecated else "")
    parts.append(f"use {field.replaced_by}" if field.replaced_by else "")
    return "; ".join(filter(None, parts))
