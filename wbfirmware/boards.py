"""Boards: what the file board.toml of each tells."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from wbfirmware.template_folders import board_folders, read_toml, templates_path

__all__ = ["Baud", "Board", "BoardError", "Compiler", "Edges", "FlashMethod", "load_board", "read_board"]

FILES = (".c", ".h", ".j2")
UNFUSED = "-ffp-contract=off"
"""Round after each operation; all boards are compiled so."""
_RANGE = re.compile(r"([A-Z]+)(\d+)\.\.\1(\d+)")


class BoardError(ValueError):
    """The folder of a board is not as it must be; the message tells the file and all that is wrong."""


class Compiler(NamedTuple):
    """What builds for a board."""

    command: str
    size: str
    """Tells the size of a program."""
    packages: str
    """Where both come from: names of Debian packages."""
    flags: list[str]
    link: list[str]
    constants_in_ram: bool = False
    """Constants lie among the variables, unless they are marked as such for the flash."""

    def tool(self, name: str) -> str:
        """Another program of the same kit, for example "objdump"."""
        return self.size.removesuffix("size") + name


class FlashMethod(NamedTuple):
    """A way to bring a program onto a board."""

    tool: str
    """A program; or `copy`, for boards that look like a drive when they are plugged in."""
    about: str
    packages: str = ""
    """Where the program comes from: names of Debian packages."""
    command: list[str] = []
    """Its arguments, in the project's folder; {port}, {hex}, {bin} and {elf} are filled in."""
    drive: str = ""
    """Of `copy`: the name of the drive, which takes .hex files."""
    identity: str = ""
    """Of `copy`: a file of the drive with a line `Unique ID: `, whose beginning tells which board it is."""
    accepts: dict[str, str] = {}
    """The beginnings of that number by the names of boards: those that take this firmware."""
    rejects: dict[str, str] = {}
    """And those that do not."""

    @property
    def needs_port(self) -> bool:
        """It goes by a serial port."""
        return any("{port}" in word for word in self.command)


class Baud(NamedTuple):
    """How a board makes the clock of its serial line."""

    divider: int
    bits: int
    """Of the register that divides the clock once more."""
    default: int


class Edges(NamedTuple):
    """What an interrupt on change of a pin costs, in cycles of the processor."""

    interrupt: int
    """Of the interrupt itself."""
    device: int
    """More for each device that looks at its pins then."""


class Board(NamedTuple):
    """A board that firmware can be made for."""

    name: str
    folder: Path
    title: str
    processor: str
    sources: list[str]
    flash: int
    """Bytes for the program; 0: without limit. So it is with `ram`."""
    ram: int
    interrupt_stack: int
    """Bytes that an interrupt takes on the stack beside those of its function."""
    real: int
    """Bytes of the widest real number of its compiler."""
    message: int
    """Bytes of the link's messages, by default."""
    table: bool
    """Carry the device table, by default."""
    clock: int
    """Hz; 0: it has none that matters."""
    supply: float
    """V."""
    wires: list[str]
    emulator: str
    compiler: Compiler
    emulation: dict[str, Any]
    """What the emulator wants to know."""
    pins: dict[str, dict[str, str]]
    """What each pin can do, and the timer behind it (empty: none)."""
    baud: Baud | None = None
    parts: list[str] = []
    """Folders of `boards/shared` with files that several boards have."""
    interrupts: str = "__vector_"
    """How the names of interrupt functions begin."""
    flashing: list[FlashMethod] = []
    """How programs come onto it, the usual way first."""
    memory: dict[str, str] = {}
    """Where flash and RAM begin, as the linker numbers them."""
    edges: Edges | None = None
    """What edges at pins cost; None: it is not known, and nothing is refused for it."""

    @property
    def files(self) -> list[Path]:
        """What goes into a project of this board: C files, headers, and templates (*.j2), sorted by name.

        A file of the board's own folder takes the place of one of its parts.
        """
        parts = [next(one for one in self.part_places(part) if one.is_dir()) for part in self.parts]
        folders = (*reversed(parts), self.folder)
        found = {file.name: file for one in folders for file in one.iterdir() if file.suffix in FILES}
        return [found[name] for name in sorted(found)]

    @property
    def pins_header(self) -> Path | None:
        """The file pins.h, of its own or of a part; None: there is none."""
        return next((file for file in self.files if file.name == "pins.h"), None)

    def part_places(self, part: str) -> list[Path]:
        """Where a folder of shared files may lie: beside this board, else beside those of wbridge."""
        boards = (self.folder.parent, templates_path() / "boards")
        return [one / "shared" / part for one in boards]

    def able(self, function: str) -> list[str]:
        """The pins that can do something, in their order."""
        return [pin for pin, functions in self.pins.items() if function in functions]


@cache
def load_board(name: str, near: Path | None = None) -> Board:
    """The board of this name; it must be one of `board_names(near)`.

    Raises:
        BoardError: its file is wrong.
    """
    return read_board(board_folders(near)[name])


def read_board(folder: Path) -> Board:
    """The board of a folder.

    Raises:
        BoardError: its file is wrong.
    """
    from wbfirmware.board_checks import check_board, check_files  # circle: it needs the types above

    path = folder / "board.toml"
    try:
        data = read_toml(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise BoardError(f"{path}: {problem}") from None
    check_board(path, data)
    data["compiler"] = _unfused(Compiler(**data["compiler"]))
    if "baud" in data:
        data["baud"] = Baud(**data["baud"])
    if "edges" in data:
        data["edges"] = Edges(**data["edges"])
    data["pins"] = _pins(data["pins"])
    data["flashing"] = [FlashMethod(**one) for one in data.get("flashing", [])]
    board = Board(name=folder.name, folder=folder, **data)
    check_files(board)
    return board


def _unfused(compiler: Compiler) -> Compiler:
    """No result is rounded otherwise than on the desktop."""
    return compiler._replace(flags=[one for one in compiler.flags if one != UNFUSED] + [UNFUSED])


def _pins(data: dict[str, list[str]]) -> dict[str, dict[str, str]]:
    """The pins one by one; "D0..D3" stands for four."""
    found: dict[str, dict[str, str]] = {}
    for names, functions in data.items():
        able = {function: timer for function, _, timer in (one.partition(":") for one in functions)}
        match = _RANGE.fullmatch(names)
        numbers = range(int(match[2]), int(match[3]) + 1) if match else ()
        for name in [f"{match[1]}{number}" for number in numbers] if match else [names]:
            found[name] = able
    return found
