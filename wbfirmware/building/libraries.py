"""C library functions that a controller calls but the board cannot have: each is tried with the linker.

Libraries for boards declare more functions than they support: some need an operating system, and the linker
then names the missing part, not the function that was called.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from wbridge.wbfirmware.boards.board import Board
from wbridge.wbfirmware.tools import ToolError, need, run

CONTROLLER = "controller"
"""The folder with the user's object files."""
OFFERED = ("wb_", "wbu_", "controller_")
"""Prefixes of names that are not from the C library."""
EMPTY = "int main(void) { return 0; }\n"
SCRIPT = "-T"
"""The linker script of the board."""


def unavailable(board: Board, folder: Path) -> set[str]:
    """Return functions that the controller calls, does not define, and that cannot be linked.

    Args:
        board: the board.
        folder: folder of the project, after its sources were compiled.
    """
    objects = sorted((folder / CONTROLLER).glob("*.o"))
    if not objects:
        return set()
    nm = need(board.compiler.tool("nm"), board.compiler.packages, "it lists the called functions")
    listed = [line.split() for line in run([nm, "-P", *objects], folder).splitlines()]
    rows = [(words[0], words[1]) for words in listed if len(words) > 1]
    defined = {name for name, kind in rows if kind.upper() != "U"}
    called = {name for name, kind in rows if kind == "U" and not name.startswith(OFFERED)}
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "empty.c").write_text(EMPTY)
        return {name for name in sorted(called - defined) if not _links(board, Path(place), name)}


def _links(board: Board, folder: Path, name: str) -> bool:
    """Return True if a program with this function can be linked."""
    compiler = board.compiler
    link = [
        option for k, option in enumerate(compiler.link) if SCRIPT not in compiler.link[max(0, k - 1) : k + 1]
    ]
    want = ["-nostartfiles", "-Wl,-e,main", f"-Wl,--undefined={name}"]
    try:
        run(
            [compiler.command, *compiler.flags, *link, *want, "empty.c", "-o", "trial.elf", "-lm"],
            folder,
        )
    except ToolError:
        return False
    return True
