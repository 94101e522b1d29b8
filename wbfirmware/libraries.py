"""Which functions of a board's C library a controller calls and cannot have: each is tried with the linker.

Libraries for boards have more functions than they can keep: some need an operating system underneath, and the
linker then names what that lacks, not what was called.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from wbfirmware.boards import Board
from wbfirmware.tools import ToolError, need, run

__all__ = ["unavailable"]

CONTROLLER = "controller"
"""The folder with the user's objects."""
OFFERED = ("wb_", "wbu_", "controller_")
"""How names begin that are none of the C library."""
EMPTY = "int main(void) { return 0; }\n"
SCRIPT = "-T"
"""The board's own places in memory, which the firmware brings."""


def unavailable(board: Board, folder: Path) -> set[str]:
    """Functions that the controller calls, that its own files do not have, and that cannot be linked.

    Args:
        board: the board.
        folder: of the project, after its sources were compiled.
    """
    objects = sorted((folder / CONTROLLER).glob("*.o"))
    if not objects:
        return set()
    nm = need(board.compiler.tool("nm"), board.compiler.packages, "it tells what is called")
    listed = [line.split() for line in run([nm, "-P", *objects], folder).splitlines()]
    rows = [(words[0], words[1]) for words in listed if len(words) > 1]
    defined = {name for name, kind in rows if kind.upper() != "U"}
    called = {name for name, kind in rows if kind == "U" and not name.startswith(OFFERED)}
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "empty.c").write_text(EMPTY)
        return {name for name in sorted(called - defined) if not _links(board, Path(place), name)}


def _links(board: Board, folder: Path, name: str) -> bool:
    """Can a program have this function?"""
    compiler = board.compiler
    link = [one for k, one in enumerate(compiler.link) if SCRIPT not in compiler.link[max(0, k - 1) : k + 1]]
    want = ["-nostartfiles", "-Wl,-e,main", f"-Wl,--undefined={name}"]
    try:
        run(
            [compiler.command, *compiler.flags, *link, *want, "empty.c", "-o", "trial.elf", "-lm"],
            folder,
        )
    except ToolError:
        return False
    return True
