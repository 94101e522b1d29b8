"""Where the functions and variables of a board's program lie."""

from __future__ import annotations

import re
from pathlib import Path

from wbfirmware.boards import Board
from wbfirmware.tools import need, run

__all__ = ["first_steps", "symbols"]

BEGINS = "flavor_step", "flavor_end"
"""The controller's step, and what comes instead when it makes none; see flavor.h of the templates."""
_SYMBOL = re.compile(r"^([0-9a-f]+) [A-Za-z] (\S+)$", re.MULTILINE)


def symbols(board: Board, program: Path) -> dict[str, int]:
    """Addresses of a program's functions and variables.

    Raises:
        BuildError: the compiler's tool that lists them is not installed.
    """
    nm = need(board.compiler.tool("nm"), board.compiler.packages, "it tells where variables lie")
    text = run([nm, program.resolve()], program.parent)
    return {name: int(place, 16) for place, name in _SYMBOL.findall(text)}


def first_steps(known: dict[str, int]) -> list[int]:
    """Where a program has set up all of its parts, and its controller begins the first step or has ended.

    In lockstep, time counts from there. None of them: the program has no controller.

    Args:
        known: its `symbols`.
    """
    return [known[name] for name in BEGINS if name in known]
