"""Addresses of global functions and variables in a board's program."""

from __future__ import annotations

import re
import shutil
from functools import lru_cache
from pathlib import Path

from wbridge.wbfirmware.boards.board import Board
from wbridge.wbfirmware.building.elf import Elf
from wbridge.wbfirmware.tools import need, run

BEGINS = "flavor_step", "flavor_end"
"""The controller's step, and the end of a controller without steps; see flavor.h in the templates."""
PYTHON = {"channel_memory": 0, "flavor_begun": 1, "flavor_schedule": 2, "canvas_shown": 3}
"""Numbers of the variables that emulators of Python show in place of memory."""
_GLOBAL = re.compile(r"^([0-9a-f]+) [A-Z] (\S+)$", re.MULTILINE)
"""A line of nm. Local symbols, whose letters are small, can share a name in several files."""


def symbols(board: Board, program: Path) -> dict[str, int]:
    """Return the addresses of a program's global functions and variables.

    Raises:
        BuildError: the compiler's tool that lists them is not installed.
    """
    if board.python is not None:
        return PYTHON
    nm = shutil.which(board.compiler.tool("nm"))
    if nm is None and program.suffix == ".elf":
        return Elf(program).globals
    nm = need(board.compiler.tool("nm"), board.compiler.packages, "it lists the addresses of variables")
    written_ns = program.stat().st_mtime_ns if program.is_file() else 0
    return _listed(nm, program.resolve(), written_ns)


@lru_cache(maxsize=64)
def _listed(nm: str, program: Path, written_ns: int) -> dict[str, int]:
    """Return what `nm` lists of a program, as it was written at a time."""
    text = run([nm, program], program.parent)
    return {name: int(place, 16) for place, name in _GLOBAL.findall(text)}


def first_steps(known: dict[str, int]) -> list[int]:
    """Return the addresses at which setup is done and the controller begins its first step or has ended.

    In lockstep, time starts there. Empty if the program has no controller.

    Args:
        known: its `symbols`.
    """
    return [known[name] for name in BEGINS if name in known]
