"""Boards that QEMU has: the program runs unchanged, with the bench of `qemu_bench` around it."""

from __future__ import annotations

import sys
from pathlib import Path

from wbfirmware.boards import Board
from wbfirmware.tools import need

__all__ = ["command"]


def command(board: Board, program: Path, lockstep: bool, wire: str) -> list[str]:
    """A Python program that starts QEMU and serves its pins and its wire.

    Raises:
        BuildError: QEMU or the compiler's tools are not installed.
    """
    need(board.emulation["program"], board.emulation["packages"], f"it emulates {board.title}")
    bench = [sys.executable, "-m", f"{__name__}_bench", str(board.folder), str(program)]
    return [*bench, *(["--lockstep"] if lockstep else [])]
