"""Emulators of boards: one module each, named as in board.toml."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from wbridge.libcontroller.compiling import BuildError
from wbridge.wbfirmware.boards.board import Board
from wbridge.wbfirmware.emulators.started import is_inside

__all__ = ["Emulator", "emulator"]


class Emulator(Protocol):
    """The interface of an emulator module."""

    def command(self, board: Board, program: Path, lockstep: bool, wire: str) -> list[str]:
        """Return the command line that runs a program; see `wbridge.wbfirmware.bench` for its protocol.

        Raises:
            BuildError: a tool is missing.
        """

    def traced(self, command: list[str], board: Board, program: Path, trace: Path) -> list[str]:
        """Return the command line for a run that records executed instructions.

        The program and its timing are the same.

        Args:
            command: see `command`.
            board: the board.
            program: the firmware.
            trace: a file that the emulator may write.

        Raises:
            BuildError: a tool is missing.
        """

    def executed(self, trace: Path) -> set[int] | None:
        """Return the addresses of executed instructions after a run has ended; None: unknown.

        Args:
            trace: see `traced`.
        """


def emulator(board: Board) -> Emulator:
    """Return the emulator of a board.

    Raises:
        BuildError: it cannot run on this system.
    """
    if sys.platform != "linux" and not is_inside():
        raise BuildError("emulated boards have pseudo terminals and pipes of Linux; use Linux, or WSL")
    return cast(Emulator, import_module(f"{__name__}.{board.emulator}"))
