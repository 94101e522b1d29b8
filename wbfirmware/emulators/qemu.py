"""Boards that QEMU emulates: the unchanged program runs within the bench of `qemu_bench`."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from wbridge.wbfirmware.boards.board import Board
from wbridge.wbfirmware.emulators.qemu_memory import check_memory
from wbridge.wbfirmware.tools import need

_INSTRUCTION = re.compile(rb"^0x([0-9a-f]+):", re.MULTILINE)


def command(board: Board, program: Path, lockstep: bool, wire: str) -> list[str]:
    """Return the command line of a Python program that starts QEMU and serves its pins and its wire.

    Raises:
        BuildError: QEMU or the compiler's tools are not installed, or QEMU has too little RAM.
    """
    need(board.emulation["program"], board.emulation["packages"], f"it emulates {board.title}")
    check_memory(board, program)
    bench = [sys.executable, "-m", f"{__name__}_bench", str(board.folder), str(program)]
    return [*bench, *(["--lockstep"] if lockstep else [])]


def traced(command: list[str], board: Board, program: Path, trace: Path) -> list[str]:
    """See `wbridge.wbfirmware.emulators.Emulator`."""
    return [*command, "--trace", str(trace)]


def executed(trace: Path) -> set[int] | None:
    """Return the instructions that QEMU has translated: it translates each basic block on first execution."""
    return (
        {int(address, 16) for address in _INSTRUCTION.findall(trace.read_bytes())}
        if trace.is_file()
        else None
    )
