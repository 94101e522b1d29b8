"""How the two compilers store and round numbers; checked before anything is compared."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from wbridge.wbfirmware.boards.board import Board
from wbridge.wbfirmware.tools import need, run

DESKTOP = "cc"
ORDERS = {"1234": "little endian", "4321": "big endian"}


class NumberFormat(NamedTuple):
    """A property of numbers on both sides."""

    name: str
    desktop: str
    board: str

    @property
    def is_same(self) -> bool:
        """True if it is equal on both sides."""
        return self.desktop == self.board


class NumberFormats(NamedTuple):
    """The result of the comparison."""

    rows: list[NumberFormat]
    problems: list[str]
    """Reasons why numbers cannot be compared at all."""
    notes: list[str]
    """Consequences of differences."""


def formats_of(board: Board) -> NumberFormats:
    """Query the compilers of the desktop and of a board.

    Raises:
        BuildError: one of them is missing.
    """
    if board.python is not None:
        return _python_formats(board)
    desktop, own = (
        _macros(DESKTOP, "gcc", []),
        _macros(board.compiler.command, board.compiler.packages, board.compiler.flags),
    )
    rows = [NumberFormat(name, read(desktop), read(own)) for name, read in _ROWS.items()]
    return NumberFormats(rows, _problems(own), _notes(desktop, own))


def _python_formats(board: Board) -> NumberFormats:
    """Compare Python's floating-point numbers."""
    real = NumberFormat("float", "64 bits", f"{8 * board.real} bits")
    note = (
        "float has 32 bits in the board's Python, and the emulator rounds each result accordingly: "
        "comparisons with a value right at its limit may have another outcome"
    )
    return NumberFormats([real], [], [] if real.is_same else [note])


def double_bytes(board: Board) -> int:
    """Return the size of a board's double.

    Raises:
        BuildError: its compiler is missing.
    """
    if board.python is not None:
        return board.real
    return int(
        _macros(board.compiler.command, board.compiler.packages, board.compiler.flags)[_bits("DOUBLE")]
    )


def _macros(compiler: str, packages: str, flags: list[str]) -> dict[str, str]:
    """Return all macros that a compiler predefines."""
    program = need(compiler, packages, "it reports how numbers are stored")
    text = run([program, *flags, "-dM", "-E", "-x", "c", os.devnull], Path(os.sep))
    words = (line.split(maxsplit=2) for line in text.splitlines())
    return {word[1]: word[2] if len(word) > 2 else "" for word in words}


def _bits(name: str) -> str:
    return f"__SIZEOF_{name}__"


_ROWS: dict[str, Callable[[Mapping[str, str]], str]] = {
    "byte order": lambda m: ORDERS.get(_order(m), "unknown"),
    "int": lambda m: f"{8 * int(m[_bits('INT')])} bits",
    "long": lambda m: f"{8 * int(m[_bits('LONG')])} bits",
    "float": lambda m: f"{8 * int(m[_bits('FLOAT')])} bits, {m['__FLT_MANT_DIG__']} of them mantissa",
    "double": lambda m: f"{8 * int(m[_bits('DOUBLE')])} bits, {m['__DBL_MANT_DIG__']} of them mantissa",
    "intermediate results": lambda m: "as their types" if m["__FLT_EVAL_METHOD__"] == "0" else "wider",
    "base": lambda m: m["__FLT_RADIX__"],
}


def _order(macros: Mapping[str, str]) -> str:
    return macros.get(macros.get("__BYTE_ORDER__", ""), "")


def _problems(own: Mapping[str, str]) -> list[str]:
    formats = []
    if own["__FLT_RADIX__"] != "2" or own["__FLT_MANT_DIG__"] != "24":
        formats.append("the board's float is not an IEEE 754 number of 32 bits")
    if own["__DBL_MANT_DIG__"] not in ("24", "53"):
        formats.append("the board's double is not an IEEE 754 number of 32 or 64 bits")
    return formats


def _notes(desktop: Mapping[str, str], own: Mapping[str, str]) -> list[str]:
    notes = []
    if own["__DBL_MANT_DIG__"] == "24":
        notes.append(
            "double has 32 bits on the board: results may differ in the last of 24 binary digits, and a "
            "comparison with a value right at its limit may have another outcome"
        )
    if own[_bits("INT")] != desktop[_bits("INT")]:
        notes.append(
            f"int has {8 * int(own[_bits('INT')])} bits on the board: whole numbers beyond "
            f"{int(own['__INT_MAX__'], 0)} overflow there"
        )
    if own["__FLT_EVAL_METHOD__"] != "0":
        notes.append("the board keeps intermediate results at a higher precision than their types")
    return notes
