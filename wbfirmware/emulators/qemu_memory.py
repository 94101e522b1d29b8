"""Programs in machines that have less RAM than the board: the stack begins lower, and nothing else changes.

A Cortex-M takes the place of its stack from the first word of the program, so only this word differs.
"""

from __future__ import annotations

from pathlib import Path

from wbridge.libcontroller.compiling import BuildError
from wbridge.wbfirmware.boards.board import Board
from wbridge.wbfirmware.building.elf import Elf
from wbridge.wbfirmware.building.symbols import symbols

STACK = 1024
"""Bytes that variables must leave for the stack."""


def _size(board: Board) -> int:
    """Return the bytes of RAM of the machine that emulates a board."""
    return int(board.emulation.get("ram", board.ram))


def check_memory(board: Board, program: Path) -> None:
    """Check that a program fits into the machine that emulates its board.

    Raises:
        BuildError: its variables leave less than STACK bytes.
    """
    if _size(board) >= board.ram:
        return
    used = symbols(board, program)["bss_end"] - int(board.memory["ram"], 0)
    if used > _size(board) - STACK:
        raise BuildError(
            f"this program cannot be emulated: its variables take {used} bytes, and the machine that "
            f"emulates {board.title} has {_size(board)} bytes of RAM, of which {STACK} are for the stack; "
            f"the board itself has {board.ram} bytes and runs it"
        )


def fitted(board: Board, program: Path) -> bytes | None:
    """Return the program with its stack at the end of the machine's RAM; None if that is the board's."""
    if _size(board) >= board.ram:
        return None
    stack = int(board.memory["ram"], 0) + _size(board)
    return Elf(program).with_bytes(int(board.memory["flash"], 0), stack.to_bytes(4, "little"))
