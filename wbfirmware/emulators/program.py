"""The board that is a program of this computer: it needs no emulator."""

from __future__ import annotations

from pathlib import Path

from wbfirmware.boards import Board

__all__ = ["command"]

WIRES = {"serial": "pty", "tcp": "tcp"}


def command(board: Board, program: Path, lockstep: bool, wire: str) -> list[str]:
    """The program itself."""
    return [str(program), *(["--lockstep"] if lockstep else []), WIRES[wire]]
