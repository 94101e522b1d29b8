"""Readers of field values, one per type: from text and position to value and next position.

A reader returns None if the text is not a value of its type; `explain` returns the reason. The fast path of
each reader is one regular expression over the whole value.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable
from math import inf, isfinite
from typing import Any

from wbridge.wbcore.scene import lexer
from wbridge.wbcore.scene.values import INT_MAX, INT_MIN, WIDTHS, VecArray

Read = tuple[Any, int]
Reader = Callable[[str, int], "Read | None"]


def _vector_pattern(width: int) -> re.Pattern[str]:
    first = rf"{lexer.BLANK}({lexer.NUMBER})"
    return re.compile(first + rf"{lexer.GAP}({lexer.NUMBER})" * (width - 1) + lexer.END)


_VECTORS = {width: _vector_pattern(width) for width in (2, 3, 4)}
_BOOL = re.compile(rf"{lexer.BLANK}(TRUE|FALSE){lexer.END}")
_INT = re.compile(rf"{lexer.BLANK}([-+]?(?:0[xX][0-9a-fA-F]+|[0-9]+)){lexer.END}")
_CLOSING = re.compile(rf"{lexer.BLANK}\]")


def read_bool(text: str, position: int) -> Read | None:
    """Read TRUE or FALSE."""
    match = _BOOL.match(text, position)
    return (match.group(1) == "TRUE", match.end()) if match else None


def read_int(text: str, position: int) -> Read | None:
    """Read an integer, decimal or hexadecimal."""
    match = _INT.match(text, position)
    if match is None or len(match.group(1)) > 40:
        return None
    digits = match.group(1)
    value = int(digits, 16) if "x" in digits or "X" in digits else int(digits)
    return (value, match.end()) if INT_MIN <= value <= INT_MAX else None


def read_float(text: str, position: int) -> Read | None:
    """Read a finite number."""
    match = lexer.number.match(text, position)
    if match is None:
        return None
    try:
        value = float(match.group(1))
    except ValueError:
        return None
    return (value, match.end()) if -inf < value < inf else None


def read_string(text: str, position: int) -> Read | None:
    """Read a string in double quotes, possibly of several lines."""
    match = lexer.string.match(text, position)
    return (lexer.unquoted(match.group(1)), match.end()) if match else None


def _vector_reader(width: int) -> Reader:
    pattern = _VECTORS[width].match

    def read_vector(text: str, position: int) -> Read | None:
        match = pattern(text, position)
        if match is None:
            return None
        try:
            value = tuple(map(float, match.groups()))
        except ValueError:
            return None
        return (value, match.end()) if all(map(isfinite, value)) else None

    return read_vector


def _numbers_at_once(text: str, position: int, code: str) -> tuple[array[Any], int] | None:
    """Read a bracketed list that contains only numbers in one operation; None for other lists."""
    match = lexer.number_list.match(text, position)
    if match is None:
        return None
    words = match.group(1).replace(",", " ").split()
    try:
        data = array("d", map(float, words)) if code == "d" else array("q", map(int, words))
    except (ValueError, OverflowError):
        return None
    if code == "d" and data and not (-inf < min(data) and max(data) < inf):
        return None
    return data, match.end()


def _numbers_reader(code: str, reader: Reader) -> Reader:
    def read_numbers(text: str, position: int) -> Read | None:
        fast = _numbers_at_once(text, position, code)
        if fast is not None:
            return fast
        read = _items(text, position, reader)
        return (array(code, read[0]), read[1]) if read else None

    return read_numbers


def _vectors_reader(width: int) -> Reader:
    reader = _vector_reader(width)

    def read_vectors(text: str, position: int) -> Read | None:
        fast = _numbers_at_once(text, position, "d")
        if fast is not None:
            data, end = fast
            return (VecArray.flat(width, data), end) if len(data) % width == 0 else None
        read = _items(text, position, reader)
        return (VecArray(width, read[0]), read[1]) if read else None

    return read_vectors


def _list_reader(reader: Reader) -> Reader:
    return lambda text, position: _items(text, position, reader)


def _items(text: str, position: int, reader: Reader) -> tuple[list[Any], int] | None:
    """Read values in brackets, or a single one without."""
    opening = lexer.opening_bracket.match(text, position)
    if opening is None:
        read = reader(text, position)
        return ([read[0]], read[1]) if read else None
    position = opening.end()
    values: list[Any] = []
    while True:
        read = reader(text, position)
        if read is None:
            break
        values.append(read[0])
        position = read[1]
    closing = _CLOSING.match(text, position)
    return (values, closing.end()) if closing else None


def _readers() -> dict[str, Reader]:
    single: dict[str, Reader] = {
        "Bool": read_bool, "Int32": read_int, "Float": read_float, "String": read_string,
    }  # fmt: skip
    readers = {f"SF{kind}": reader for kind, reader in single.items()}
    readers |= {"MFBool": _list_reader(read_bool), "MFString": _list_reader(read_string)}
    readers |= {"MFInt32": _numbers_reader("q", read_int), "MFFloat": _numbers_reader("d", read_float)}
    for kind, width in WIDTHS.items():
        readers[f"SF{kind}"] = _vector_reader(width)
        readers[f"MF{kind}"] = _vectors_reader(width)
    return readers


READERS = _readers()

_WANTED = {
    "Bool": "TRUE or FALSE",
    "Int32": "a whole number",
    "Float": "a finite number",
    "String": 'a string in double quotes ("...")',
    "Vec2f": "2 finite numbers",
    "Vec3f": "3 finite numbers",
    "Rotation": "4 finite numbers (axis and angle)",
    "Color": "3 numbers from 0 to 1",
    "Node": "a node, USE or NULL",
}


_WANTED_IN_LISTS = _WANTED | {
    "Int32": "whole numbers",
    "Float": "finite numbers",
    "String": 'strings in double quotes ("...")',
    "Vec2f": "vectors of 2 finite numbers",
    "Vec3f": "vectors of 3 finite numbers",
    "Rotation": "rotations of 4 finite numbers (axis and angle)",
    "Color": "colors of 3 numbers from 0 to 1",
    "Node": "nodes, USE or NULL",
}


def wanted(field_type: str) -> str:
    """Return a description of values of a type, for messages."""
    if field_type.startswith("SF"):
        return _WANTED[field_type[2:]]
    return f"a list [ ] of {_WANTED_IN_LISTS[field_type[2:]]}"


def read_guess(text: str, position: int) -> tuple[str, Any, int] | None:
    """Read a value without a declared type: type, value, end. None for nodes and for invalid values.

    Keeps the fields of missing models, so that they can be saved.
    """
    position = lexer.blank.match(text, position).end()  # type: ignore[union-attr]
    first = text[position : position + 1]
    if first != "[":
        kind = _GUESSES.get(first)
        read = READERS["SF" + kind](text, position) if kind else None
        return ("SF" + str(kind), *read) if read else _guess_numbers(text, position)
    inside = lexer.blank.match(text, position + 1).end()  # type: ignore[union-attr]
    kind = "MF" + _GUESSES.get(text[inside : inside + 1], "Float")
    read = READERS[kind](text, position)
    return (kind, *read) if read and len(read[0]) else None


_GUESSES = {'"': "String", "T": "Bool", "F": "Bool"}
# Unlike lexer.NUMBER, this never matches the word "e", which may be the name of the next field.
_NUMBER_RUN = re.compile(rf"[-+.0-9][-+.0-9eE]*(?:{lexer.SPACE}+[-+.0-9][-+.0-9eE]*)*{lexer.END}")
_BY_COUNT = {1: "SFFloat", 2: "SFVec2f", 3: "SFVec3f", 4: "SFRotation"}


def _guess_numbers(text: str, position: int) -> tuple[str, Any, int] | None:
    match = _NUMBER_RUN.match(text, position)
    if match is None:
        return None
    try:
        values = tuple(map(float, match.group().replace(",", " ").split()))
    except ValueError:
        return None
    if not all(map(isfinite, values)):
        return None
    kind = _BY_COUNT.get(len(values))
    if kind is None:
        return "MFFloat", array("d", values), match.end()
    return kind, values[0] if kind == "SFFloat" else values, match.end()
