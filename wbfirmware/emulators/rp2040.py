"""Boards with an RP2040: rp2040js, an emulator in JavaScript, within the bench of `rp2040_board.mjs`."""

from __future__ import annotations

import sys
from pathlib import Path

from wbridge.hal.folders import cache_folder
from wbridge.libcontroller.compiling import BuildError
from wbridge.wbfirmware.boards.board import Board
from wbridge.wbfirmware.building.symbols import first_steps, symbols
from wbridge.wbfirmware.emulators.compiled import programs_folder
from wbridge.wbfirmware.tools import need

BENCH = "rp2040_board.mjs"


def emulator_module(board: Board) -> Path:
    """Return the main file of rp2040js, in wbridge's cache folder.

    Raises:
        BuildError: it is not installed; the message has the command that installs it.
    """
    folder = cache_folder() / "rp2040js"
    module = folder / "node_modules" / "rp2040js" / "dist" / "esm" / "index.js"
    if not module.is_file():
        package = board.emulation["package"]
        raise BuildError(
            f"rp2040js is not installed (it emulates {board.title}); install it, for example with: "
            f"npm install --prefix {folder} {package}"
        )
    return module


def command(board: Board, program: Path, lockstep: bool, wire: str) -> list[str]:
    """Return the command line of Node.js with the bench.

    Raises:
        BuildError: Node.js, rp2040js or the compiler's tools are not installed.
    """
    node = need("node", "nodejs", f"it emulates {board.title}")
    words = [
        node,
        str(programs_folder() / BENCH),
        str(emulator_module(board)),
        str(program),
        str(board.supply),
    ]
    if not lockstep:
        return [sys.executable, "-m", f"{__name__}_terminal", *words]
    begins = [str(place) for place in first_steps(symbols(board, program))]
    return [*words, *(word for place in begins for word in ("--begin", place))]


def traced(command: list[str], board: Board, program: Path, trace: Path) -> list[str]:
    """See `wbridge.wbfirmware.emulators.Emulator`."""
    return [*command, "--trace", str(trace)]


def executed(trace: Path) -> set[int] | None:
    """See `wbridge.wbfirmware.emulators.Emulator`."""
    return {int(line) for line in trace.read_text().split()} if trace.is_file() else None
