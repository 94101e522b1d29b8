"""Numbers and strings as C literals."""

from __future__ import annotations

import math
from typing import Any

WIDTH = 96
LARGEST = 3.4e38


def c_real(value: Any) -> str:
    """Return a number of type `real`; infinite ones become the largest value."""
    number = float(value)
    if math.isnan(number):
        number = 0.0
    number = max(-LARGEST, min(LARGEST, number))
    return f"REAL({number!r})"


def c_number(value: object) -> str:
    """Return a number as C's double or an integer; infinite ones become the largest of 32 bits."""
    if isinstance(value, int):
        return str(value)
    return c_real(value)[len("REAL(") : -1]


def c_string(text: str) -> str:
    """Return a text as a C string literal."""
    return '"' + "".join(_character(code) for code in text.encode()) + '"'


def _character(byte: int) -> str:
    plain = " " <= chr(byte) <= "~" and chr(byte) not in '\\"?'
    return chr(byte) if plain else f"\\{byte:03o}"


def c_comment(text: str) -> str:
    """Return a text that is safe in a comment, in one line of a Makefile and in a string: printable, without
    their terminators."""
    plain = "".join(character if " " <= character <= "~" else "?" for character in text)
    return (
        plain.replace("*/", "* /").replace("/*", "/ *").replace("\\", "/").replace('"', "'").replace("$", "S")
    )


def c_text_lines(text: str) -> list[str]:
    """Return an ASCII text as C string literals, one per line."""
    return [_literal(text[at : at + WIDTH]) for at in range(0, len(text), WIDTH)]


def _literal(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("??", "?\\?")
    return f'"{escaped}"'
