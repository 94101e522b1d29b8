"""Where the functions and variables of a board's program lie."""

from __future__ import annotations

import re
from pathlib import Path

from wbfirmware.boards import Board
from wbfirmware.tools import need, run

__all__ = ["symbols"]

_SYMBOL = re.compile(r"^([0-9a-f]+) [A-Za-z] (\S+)$", re.MULTILINE)


def symbols(board: Board, program: Path) -> dict[str, int]:
    """Addresses of a program's functions and variables.

    Raises:
        BuildError: the compiler's tool that lists them is not installed.
    """
    nm = need(board.compiler.tool("nm"), board.compiler.packages, "it tells where variables lie")
    text = run([nm, program.resolve()], program.parent)
    return {name: int(place, 16) for place, name in _SYMBOL.findall(text)}
