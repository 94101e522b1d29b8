"""Explain that a firmware is too large for its board: where, by how much, and which parts are largest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from wbridge.wbfirmware.boards.board import Board
from wbridge.wbfirmware.building.stack import USERS_MAIN
from wbridge.wbfirmware.tools import need, run

_OVERFLOW = re.compile(r"region [`'](\w+)' overflowed by (\d+) bytes")
_OUTSIDE = re.compile(r"address (0x[0-9a-f]+) of \S+ section \S+ is not within region [`'](\w+)'")
_FLASH, _RAM = "flash", "RAM"
_REGIONS = {"FLASH": _FLASH, "text": _FLASH, "RAM": _RAM, "data": _RAM}
"""Names used in linker scripts."""
_LESS_FLASH = "leave out devices, the device table (table = false in [link]), or parts of the controller"
_LESS_RAM = (
    "leave out devices, use shorter messages (message in [link]), or use fewer variables in the controller"
)
_CONSTANTS_TOO = " (on this processor its constants take RAM, too)"
_PARTS = {
    _FLASH: {"text", "progmem", "rodata", "srodata", "data", "sdata"},
    _RAM: {"data", "sdata", "bss", "sbss", "*COM*"},
}
"""Sections in each region; initial values of variables are in the flash, too."""
_CONSTANTS = {"rodata"}
_COMMON = "*COM*"
"""Of variables that the linker places: their value is their size, and their size their alignment."""
_SYMBOL = re.compile(
    r"^([0-9a-f]+) .{7} \.?([^\s.]+)\S*\t([0-9a-f]+) (?:\.hidden )?([^\s.]+)\S*$", re.MULTILINE
)
_LISTED = 4
_MOST_FUNCTIONS = 2
_CONTROLLER = "users_controller.o"


def overflow(board: Board, said: str, folder: Path) -> str:
    """Return the linker's errors about a program that is too large, in plain terms; "" if there are none.

    Args:
        board: the board.
        said: output of the linker, in English.
        folder: folder of the project.
    """
    sizes: dict[str, int] = {}
    for region, more in _excesses(board, said):
        sizes[region] = max(more, sizes.get(region, 0))
    return "\n".join(
        f"{_beginning(region, more)}, and {board.title} has {_room(board, region)}; "
        f"{_advice(board, folder, region)}"
        for region, more in sorted(sizes.items(), reverse=True)
    )


def _beginning(region: str, more: int) -> str:
    if region == _FLASH:
        return f"the program exceeds the flash by {more} bytes"
    return f"variables exceed the RAM by {more} bytes, beside which the stack needs room"


def _room(board: Board, region: str) -> str:
    return f"flash for {board.flash}" if region == _FLASH else f"{board.ram} bytes of RAM"


def flash_exceeded(board: Board, flash: int, folder: Path) -> str:
    """Return a message that a program of this size does not fit."""
    room = _room(board, _FLASH)
    return f"the program takes {flash} bytes, and {board.title} has {room}; {_advice(board, folder, _FLASH)}"


def ram_exceeded(board: Board, ram: int, stack: int, folder: Path) -> str:
    """Return a message that variables and stack of these sizes do not fit."""
    return (
        f"variables take {ram} bytes and the stack up to {stack}, {ram + stack - board.ram} too many, "
        f"and {board.title} has {_room(board, _RAM)}; {_advice(board, folder, _RAM)}; "
        f"on the stack {_deepest(folder)}"
    )


def _deepest(folder: Path) -> str:
    """Return the functions with the largest local variables, from the compiler's `.su` files."""
    found: list[tuple[int, str]] = []
    for file in folder.rglob("*.su"):
        rows = (line.split("\t") for line in file.read_text("utf-8", "replace").splitlines())
        found += [(int(row[1]), row[0].rpartition(":")[2]) for row in rows if row[1:2] and row[1].isdecimal()]
    largest = sorted(found, reverse=True)[:_MOST_FUNCTIONS]
    return ", ".join(f"{'main' if name == USERS_MAIN else name} {size}" for size, name in largest)


def _excesses(board: Board, said: str) -> Iterator[tuple[str, int]]:
    """Return the regions that the linker names, with the excess bytes.

    Some linkers print the number, others the address at which a section ends.
    """
    for name, more in _OVERFLOW.findall(said):
        if name in _REGIONS:
            yield _REGIONS[name], int(more)
    size = {_FLASH: board.flash, _RAM: board.ram}
    for address, name in _OUTSIDE.findall(said):
        region = _REGIONS.get(name, "")
        begin = board.memory.get(region.lower())
        if begin is not None:
            yield region, int(address, 16) - int(begin, 0) - size[region]


def _advice(board: Board, folder: Path, region: str) -> str:
    """Return the largest parts and what may be removed."""
    taken = ", ".join(f"{name} {size}" for size, name in _largest(board, folder, region))
    less = _LESS_FLASH if region == _FLASH else _LESS_RAM
    if region == _RAM and board.compiler.constants_in_ram:
        less += _CONSTANTS_TOO
    return f"{less}; the largest parts are {taken}" if taken else less


def _largest(board: Board, folder: Path, region: str) -> list[tuple[int, str]]:
    """Return the functions and variables with most bytes in a region, the largest first."""
    objects = sorted(
        file for file in folder.glob("*.o") if file.with_suffix(".c").is_file() or file.name == _CONTROLLER
    )
    if not objects:
        return []
    objdump = need(board.compiler.tool("objdump"), board.compiler.packages, "it shows the sizes of all parts")
    listing = run([objdump, "--syms", *objects], folder)
    parts = _PARTS[region] | (_CONSTANTS if board.compiler.constants_in_ram else set())
    sizes = {
        (int(value if part == _COMMON else size, 16), name)
        for value, part, size, name in _SYMBOL.findall(listing)
        if part in parts
    }
    sizes = {row for row in sizes if row[0] > 0}
    return sorted(sizes, key=lambda row: (-row[0], row[1]))[:_LISTED]
