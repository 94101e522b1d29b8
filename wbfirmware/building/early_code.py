"""Refuse global variables in C++ whose initializers are code: on boards nothing runs before main()."""

from __future__ import annotations

from pathlib import Path

from wbridge.libcontroller.compiling import BuildError
from wbridge.wbfirmware.boards.board import Board
from wbridge.wbfirmware.map.controllers import Controller
from wbridge.wbfirmware.tools import need, run

EARLY = "_GLOBAL__sub_I_"
"""Prefix of the compiler's function for all such initializers of a file."""
WHY = (
    "a global variable is initialized by code (a constructor or a call), which would have to run before "
    "main(); boards run none: use a constant, or a variable inside of a function"
)


def refuse_early_code(board: Board, folder: Path, controller: Controller) -> None:
    """
    Raises:
        BuildError: a file of the controller has such a variable; the message names all of these files.
    """
    if not controller.cxx_sources:
        return
    nm = need(board.compiler.tool("nm"), board.compiler.packages, "it lists the functions of the controller")
    lines = []
    for source in controller.cxx_sources:
        compiled = _object(folder, source.name)
        if any(EARLY in line for line in run([nm, compiled], folder).splitlines()):
            lines.append(f"{source}:1:1: {WHY}")
    if lines:
        raise BuildError("\n".join(lines))


def _object(folder: Path, name: str) -> Path:
    """Return the compiled file of a source; sketches have other folders."""
    places = (folder / "controller", folder / "build" / "src" / "controller")
    return next(place for folder in places if (place := folder / f"{name}.o").is_file())
