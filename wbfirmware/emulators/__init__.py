"""Emulators of boards: a module per emulator, named as board.toml names it, has `command`."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from wbfirmware.boards import Board

__all__ = ["Emulator", "emulator"]


class Emulator(Protocol):
    """What a module of an emulator offers."""

    def command(self, board: Board, program: Path, lockstep: bool, wire: str) -> list[str]:
        """The command line that runs a program as on a board; see `wbfirmware.bench` for what it then does.

        Raises:
            BuildError: a tool is missing.
        """

    def traced(self, command: list[str], board: Board, program: Path, trace: Path) -> list[str]:
        """The same command line, for a run that writes down which instructions were executed.

        The program is the same, and so is its time.

        Args:
            command: see `command`.
            board: the board.
            program: the firmware.
            trace: a file that this may write.

        Raises:
            BuildError: a tool is missing.
        """

    def executed(self, trace: Path) -> set[int] | None:
        """The addresses of the instructions that were executed, of a run that has ended; None: nobody knows.

        Args:
            trace: see `traced`.
        """


def emulator(board: Board) -> Emulator:
    """The emulator of a board."""
    return cast(Emulator, import_module(f"{__name__}.{board.emulator}"))
