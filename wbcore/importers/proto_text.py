"""Node trees as the text of a PROTO."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from wbridge.wbcore.scene.values import number_text, string_text

_DIGITS = 10
"""Significant digits of numbers: rounding errors of rotations are below."""


@dataclass(frozen=True)
class Is:
    """A field that has the value of the PROTO's field with this name."""

    name: str


@dataclass(eq=False)
class NodeText:
    """One node: type, fields in order, and DEF name ("" for none)."""

    type: str
    fields: Mapping[str, Value] = field(default_factory=dict)
    define: str = ""


Single: TypeAlias = Is | bool | float | str | tuple[float, ...]
Value: TypeAlias = (
    Single | NodeText | Sequence[NodeText] | Sequence[str] | Sequence[tuple[float, ...]] | Sequence[float]
)


def lines_of(node: NodeText, lead: str = "", indent: str = "") -> Iterator[str]:
    """Yield the lines of a node; `lead` is the text before it on its first line."""
    define = f"DEF {node.define} " if node.define else ""
    yield f"{indent}{lead}{define}{node.type} {{"
    for name, value in node.fields.items():
        yield from _field(name, value, indent + "  ")
    yield f"{indent}}}"


def _field(name: str, value: Value, indent: str) -> Iterator[str]:
    if isinstance(value, NodeText):
        yield from lines_of(value, f"{name} ", indent)
    elif isinstance(value, list):
        yield f"{indent}{name} ["
        for number in value:
            if isinstance(number, NodeText):
                yield from lines_of(number, "", indent + "  ")
            else:
                yield f"{indent}  {_single(number)}"
        yield f"{indent}]"
    else:
        assert isinstance(value, Is | bool | float | int | str | tuple), "lists were written above"
        yield f"{indent}{name} {_single(value)}"


def _single(value: Single) -> str:
    if isinstance(value, Is):
        return f"IS {value.name}"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return string_text(value)
    if isinstance(value, tuple):
        # What rotations leave of a zero is no digit of the number.
        least = 1e-12 * max(map(abs, value), default=0.0)
        return " ".join(_number(number if abs(number) > least else 0.0) for number in value)
    return str(value) if isinstance(value, int) else _number(value)


def _number(value: float) -> str:
    return number_text(float(f"{value:.{_DIGITS}g}") + 0.0)
