"""Boards that run Python: MicroPython's virtual machine in WebAssembly under Node.js, or the Python of this
computer."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

from wbridge.hal.folders import cache_folder, replacement
from wbridge.libcontroller.compiling import BuildError
from wbridge.wbfirmware.boards.board import Board
from wbridge.wbfirmware.building.micropython.single import HELPERS, rounded
from wbridge.wbfirmware.emulators.compiled import programs_folder
from wbridge.wbfirmware.template_folders import templates_path
from wbridge.wbfirmware.tools import need

PACKAGE, VERSION = "@micropython/micropython-webassembly-pyscript", "1.27.0"
VM = "micropython"
"""The setting `vm` of boards that run in MicroPython's virtual machine; others run in this Python."""
SINGLE = 4
"""Bytes of 32-bit numbers."""
HELPERS_FILE, START = "wb_single.py", "start.py"
HERE = Path(__file__).parent
LAST_RESET = "hung", "scratch"
"""Keys of a board's emulation that describe the reset before: whether the watchdog caused it, and what the
RP2040's SCRATCH0 holds."""


def command(board: Board, program: Path, lockstep: bool, wire: str) -> list[str]:
    """Return the command line of the virtual machine with a program, the file main.py of a folder.

    Raises:
        BuildError: Node.js or MicroPython is missing, or time is not virtual.
    """
    if not lockstep:
        raise BuildError(f"{board.title} is emulated in virtual time only; add --simulate")
    bundle = str(_bundle(board, program.parent))
    if board.emulation.get("vm") != VM:
        return [sys.executable, "-E", str(HERE / "cpython_vm.py"), bundle]
    node = need("node", "nodejs", "it runs MicroPython's virtual machine")
    return [node, str(programs_folder() / "micropython.mjs"), str(library()), bundle]


def traced(command: list[str], board: Board, program: Path, trace: Path) -> list[str]:
    """See `wbridge.wbfirmware.emulators.Emulator`: MicroPython records nothing."""
    return command


def executed(trace: Path) -> set[int] | None:
    """See `wbridge.wbfirmware.emulators.Emulator`: unknown."""
    return None


def library() -> Path:
    """Return the main module of MicroPython for Node.js.

    Raises:
        BuildError: it is not installed.
    """
    folders = (Path(sys.prefix) / VM, cache_folder() / VM)
    places = [folder / "node_modules" / PACKAGE / "micropython.mjs" for folder in folders]
    module = next((place for place in places if place.is_file()), None)
    if module is None:
        raise BuildError(
            "MicroPython's virtual machine is not installed; install it with: npm install --prefix "
            f"{folders[1]} {PACKAGE}@{VERSION}"
        )
    return module


def _bundle(board: Board, folder: Path) -> Path:
    """Return a file with the program and the emulated board, in the user's cache."""
    files = {
        file.relative_to(folder).as_posix(): file.read_text("utf-8", "surrogateescape")
        for file in sorted(folder.rglob("*.py"))
    }
    bench = templates_path() / "micropython" / "bench"
    real = board.real
    if real == SINGLE:
        files = {name: rounded(text) for name, text in files.items()} | {HELPERS_FILE: HELPERS}
    files |= {file.name: file.read_text("utf-8") for file in sorted(bench.glob("*.py"))}
    data = {"files": files, "config": _config(board), "start": START}
    text = json.dumps(data, sort_keys=True)
    place = cache_folder() / "emulators" / f"python-{hashlib.sha256(text.encode()).hexdigest()[:16]}.json"
    if not place.is_file():
        place.parent.mkdir(parents=True, exist_ok=True)
        with replacement(place) as draft:
            draft.write_text(text, encoding="utf-8")
    return place


def _config(board: Board) -> dict[str, object]:
    """Return what the emulated board has to know."""
    port = board.emulation.get("port", "")
    names: dict[str, int | str] = {
        name: name if port else int("".join(filter(str.isdigit, name))) for name in board.pins
    }
    last = {key: board.emulation[key] for key in LAST_RESET if key in board.emulation}
    return {"supply": board.supply, "pins": names, "port": port, "single": board.real == SINGLE, **last}
