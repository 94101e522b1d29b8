"""Boards, as declared in their files board.toml."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from wbridge.wbfirmware.problems import nearest
from wbridge.wbfirmware.template_folders import (
    OTHER_BOARDS,
    all_board_folders,
    board_folders,
    read_toml,
    templates_path,
)

__all__ = ["Baud", "Board", "BoardError", "Compiler", "Edges", "FlashMethod", "Python", "load_board"]
__all__ += ["COPY", "REPL", "USB", "Ticks", "Usb", "read_board"]

FILES = (".c", ".cpp", ".h", ".j2", ".py")
USB = "usb"
"""The wire at the USB port of a board, without an adapter."""
COPY = "copy"
"""The way to copy a file to the drive of a board."""
REPL = "repl"
"""The way to copy files to a board with MicroPython: by its serial port."""
UNFUSED = "-ffp-contract=off"
"""Round after each operation; all boards are compiled with this option."""
CXX_FLAGS = (
    *("-std=gnu++11", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics", "-fno-use-cxa-atexit"),
    *("-nostdinc++", "-Istd"),
)
"""For controllers in C++ on all boards; `std` has the headers of the C++ library that boards have."""
_RANGE = re.compile(r"([A-Z]+)(\d+)\.\.\1(\d+)")

CHANGE = "change"
FUNCTIONS = {
    "input": "digital input",
    "output": "digital output",
    CHANGE: "interrupt on change",
    "pwm": "PWM",
    "servo": "servo pulses",
    "analog": "analog input",
    "sda": "data line of an I2C bus",
    "scl": "clock line of an I2C bus",
    "pixels": "output for a chain of WS2812 LEDs",
    "rx": "receiving line of a second serial port",
    "tx": "sending line of a second serial port",
}
"""Functions of pins, and what each is."""


class BoardError(ValueError):
    """Raised for an invalid board folder; the message names the file and all problems."""


class Compiler(NamedTuple):
    """The compiler of a board."""

    command: str
    size: str
    """Program that prints the size of a program."""
    packages: str
    """Debian packages that contain both."""
    flags: list[str]
    link: list[str]
    constants_in_ram: bool = False
    """True if constants are in RAM unless they are marked for the flash."""

    @property
    def cxx(self) -> str:
        """The compiler for C++, of the same toolchain."""
        return self.command.removesuffix("gcc") + "g++" if self.command.endswith("gcc") else "c++"

    @property
    def cxx_flags(self) -> list[str]:
        """Flags for C++: without what needs a heap or a library, and without the computer's C++ headers.

        For a freestanding compiler, main() is any function: one that ends without a return would run on into
        what follows.
        """
        hosted = [flag.replace("-ffreestanding", "-fno-builtin") for flag in self.flags]
        own = [flag for flag in hosted if not flag.startswith("-std=")]
        return [*own, *CXX_FLAGS]

    def tool(self, name: str) -> str:
        """Return another program of the same toolchain, for example "objdump"."""
        return self.size.removesuffix("size") + name


NO_COMPILER = Compiler("", "", "", [], [])
"""Of boards that run Python."""


class Python(NamedTuple):
    """The MicroPython of a board."""

    heap: int
    """Bytes of RAM for objects; 0: unlimited."""
    modules: list[str]
    """Modules that controllers can import."""
    firmware: str
    """Where to get MicroPython for the board."""
    block: int = 1
    """Bytes that a file takes at least; its size is a multiple of it."""
    compact: bool = False
    """True: files of wbridge are stored without docstrings, comments and wide indentation, because there is
    little room."""


class FlashMethod(NamedTuple):
    """A way to flash a program to a board."""

    tool: str
    """A program, or `copy` for boards that appear as a drive, or `repl` for those with MicroPython."""
    about: str
    packages: str = ""
    """Debian packages that contain the program."""
    command: list[str] = []
    """Its arguments, run in the project's folder; {port}, {hex}, {bin} and {elf} are replaced."""
    drive: str = ""
    """For `copy`: name of the drive."""
    form: str = "hex"
    """For `copy`: the kind of files that the drive accepts, `hex` or `bin`, unless `family` is given."""
    family: int = 0
    """For `copy`: the number of the processor's family in .uf2 files; 0: the drive does not accept these."""
    touch: bool = False
    """True: a running program can be asked for the boot loader, see `wbridge.wbfirmware.flash.touch`."""
    loaders: list[str] = []
    """With `touch`: numbers (vendor:product) of boot loaders at a serial port, which need not be asked."""
    identity: str = ""
    """For `copy`: a file on the drive with a line `Unique ID: ` whose first digits identify the board."""
    accepts: dict[str, str] = {}
    """First digits of this ID by board name, for boards that accept this firmware."""
    rejects: dict[str, str] = {}
    """And those that do not."""

    install: str = ""
    """The command that installs the program, if no Debian package contains it."""

    @property
    def installation(self) -> str:
        """Return the command that installs the program."""
        return self.install or f"apt install {self.packages}"

    @property
    def copied(self) -> str:
        """For `copy`: the ending of the file."""
        return "uf2" if self.family else self.form

    @property
    def needs_port(self) -> bool:
        """True if the method uses a serial port."""
        return self.tool == REPL or any("{port}" in word for word in self.command)


class Baud(NamedTuple):
    """How a board derives the clocks of its serial lines."""

    divider: int
    """Of the processor's clock, for the line of the link."""
    bits: int
    """Bits of the register that divides the clock further."""
    default: int
    second: int = 0
    """The divider for the second serial line; 0: as for the link."""
    least: int = 1
    """The least number by which the clock can be divided further."""


class Edges(NamedTuple):
    """Cost of an interrupt on change of a pin, in processor cycles."""

    interrupt: int
    """Cycles of the interrupt itself."""
    device: int
    """More for each device that looks at its pins then."""


class Ticks(NamedTuple):
    """A timer interrupt that makes the steps of stepper motors."""

    hertz: int
    """Ticks per second; a motor makes a step in every other one at most."""
    timer: str = ""
    """The timer that then generates neither PWM nor servo pulses; "": one that does neither anyway."""


class Usb(NamedTuple):
    """Numbers by which hosts know a board that has the wire `usb`."""

    vendor: int
    product: int


class ProjectParts(NamedTuple):
    """What a project for a board is made of."""

    sources: list[str] = []
    """C files of the board, in link order."""
    sketch: bool = False
    """True: the project is an Arduino sketch."""
    platformio: str = ""
    """The environment in the sketch's platformio.ini."""
    core: list[str] = []
    """Folders of `shared` with an Arduino core for this computer; the sketch has it in its folder `host`."""
    wire_parts: dict[str, list[str]] = {}
    """Folders of `shared` with the files of a wire; its C files are compiled after `sources`."""
    parts: list[str] = []
    """Folders of `boards/shared` with files shared by several boards."""
    interrupts: str = "__vector_"
    """Prefix of the names of interrupt functions."""
    like: str = ""
    """Another board of its family, whose keys and files apply where this one has none of its own."""


class Circuit(NamedTuple):
    """What is particular about the pins of a board."""

    pixels: bool = False
    """True: each pin that can be an output also has the function pixels."""
    headers: str = ""
    """Name of the file in `headers` with the board's pins in order; "": none, or its own wiring.toml."""
    names: dict[str, str] = {}
    """Other names of pins, and the pin of each: its own, and those that the file of its headers has."""
    proposed_last: list[str] = []
    """Pins that the board or its chip uses otherwise, too; proposed if all others are taken. Those without
    `input` are for LEDs first."""
    second_bus: list[str] = []
    """Pins sda and scl of another I2C bus, whose parts the board has itself; never proposed."""
    no_pull_up: list[str] = []
    """Pins whose inputs have no pull-up."""
    analog_top: float = 0.0
    """The highest voltage (V) that analog inputs tell apart; 0: the supply."""


class Timing(NamedTuple):
    """The timers of a board, and what its interrupts cost."""

    edges: Edges | None = None
    """Processor cost of edges at pins; None: unknown, and nothing is refused because of it."""
    control_delay: float = 2.0
    """The largest delay of the speed control of motors (ms), measured at the pins with two motors."""
    ticks: Ticks | None = None
    """None: the board has no timer for steps; drivers make them between steps of the controller."""
    encoders: dict[str, list[str]] = {}
    """Timers that can count an encoder without interrupts: the pins of their channels 1 and 2."""
    counters: int = 0
    """Pulse counters, each of which counts an encoder at any pins without interrupts."""
    pwm: float = 0.0
    """Frequency of PWM outputs in Hz; 0: it depends on the pin or the core, and is not compared."""
    frequencies: dict[str, list[float]] = {}
    """Other frequencies (Hz) by timer: two numbers are the ends of a range, more or fewer are all that it
    makes. The key "pin" is for pins without a timer, "all" for a board whose PWM has one frequency."""


class Board(NamedTuple):
    """A board that firmware can be made for."""

    name: str
    folder: Path
    title: str
    processor: str
    flash: int
    """Bytes for the program; 0: unlimited. The same applies to `ram`."""
    ram: int
    interrupt_stack: int
    """Bytes that an interrupt pushes on the stack in addition to those of its function."""
    real: int
    """Bytes of the compiler's widest floating-point type."""
    message: int
    """Default size of the link's messages, in bytes."""
    table: bool
    """Whether the device table is included by default."""
    clock: int
    """Hz; 0: not relevant."""
    supply: float
    """V."""
    wires: list[str]
    emulator: str
    emulation: dict[str, Any]
    """Settings of the emulator."""
    pins: dict[str, dict[str, str]]
    """The functions of each pin, with the timer behind each (empty: none)."""
    compiler: Compiler = NO_COMPILER
    wire_pins: dict[str, list[str]] = {}
    """The pins that a wire takes."""
    usb: Usb | None = None
    """Of boards with the wire `usb`."""
    python: Python | None = None
    """None: controllers are compiled."""
    baud: Baud | None = None
    flashing: list[FlashMethod] = []
    """Ways to flash the board, the usual one first."""
    memory: dict[str, str] = {}
    """Start addresses of flash and RAM, as the linker numbers them."""
    project: ProjectParts = ProjectParts()
    circuit: Circuit = Circuit()
    timing: Timing = Timing()

    @property
    def files(self) -> list[Path]:
        """Return the files of a project for this board: C files, headers and templates (*.j2), sorted by
        name.

        A file in the board's own folder overrides one of the board that it is like, and that one of its
        parts.
        """
        like = [self.like_folder] if self.like_folder is not None else []
        folders = (*reversed([self._part(part) for part in self.project.parts]), *like, self.folder)
        return _files_in(folders)

    @property
    def like_folder(self) -> Path | None:
        """Return the folder of the board that it is like."""
        return _like_folder(self.folder, self.project.like) if self.project.like else None

    @property
    def core_files(self) -> list[Path]:
        """Return the files of the Arduino core for this computer, sorted by name."""
        return _files_in([self._part(part) for part in self.project.core])

    def files_for(self, wire: str) -> list[Path]:
        """Return the files of a project with a wire."""
        return [*self.files, *self.wire_files(wire)]

    def wire_files(self, wire: str) -> list[Path]:
        """Return the files for a wire, sorted by name."""
        return _files_in([self._part(part) for part in self.project.wire_parts.get(wire, [])])

    def _part(self, part: str) -> Path:
        return next(place for place in self.part_places(part) if place.is_dir())

    @property
    def pins_header(self) -> Path | None:
        """Return the file pins.h, its own or of a part; None if missing."""
        return next((file for file in self.files if file.name == "pins.h"), None)

    @property
    def wiring_file(self) -> Path | None:
        """Return the file that describes the board's headers for wiring diagrams; None if missing."""
        places = (self.folder / "wiring.toml", templates_path() / "headers" / f"{self.circuit.headers}.toml")
        return next((place for place in places if place.is_file()), None)

    def part_places(self, part: str) -> list[Path]:
        """Return the possible folders of a shared part: beside this board, or among those of wbridge."""
        return _part_places(self.folder, part)

    def with_wire(self, wire: str) -> Board:
        """Return the board as it is with a wire, whose pins have no functions."""
        taken = self.wire_pins.get(wire, ())
        return self._replace(pins={pin: {} if pin in taken else able for pin, able in self.pins.items()})

    @property
    def analog_end(self) -> float:
        """Return the highest voltage (V) that analog inputs tell apart."""
        return self.circuit.analog_top or self.supply

    def name_of(self, pin: str) -> str:
        """Return the name that is printed beside a pin: one of `names`, if it has one, or its own."""
        return next((name for name, other in self.circuit.names.items() if other == pin), pin)

    def label_of(self, pin: str) -> str:
        """Return a pin with all its names as text, for example "PB6 D10"."""
        return " ".join([pin, *(name for name, other in self.circuit.names.items() if other == pin)])

    def able(self, function: str) -> list[str]:
        """Return the pins that have a function, in their order."""
        return [pin for pin, functions in self.pins.items() if function in functions]


TABLES: dict[str, type[Compiler | Python | Baud | Edges | Ticks | Usb]] = {
    kind.__name__.lower(): kind for kind in (Compiler, Python, Baud, Edges, Ticks, Usb)
}
"""The tables of board.toml, by their keys."""
GROUPS: dict[str, type[ProjectParts | Circuit | Timing]] = {
    "project": ProjectParts,
    "circuit": Circuit,
    "timing": Timing,
}
"""The attributes of a board whose keys stand beside its own in board.toml."""


def _files_in(folders: Iterable[Path]) -> list[Path]:
    """Return the files of a project in folders, sorted by name; a later folder overrides an earlier one."""
    files = {file.name: file for folder in folders for file in folder.iterdir() if file.suffix in FILES}
    return [files[name] for name in sorted(files)]


@cache
def load_board(name: str, near: Path | None = None) -> Board:
    """Load the board of this name; it must be one of `all_board_folders(near)`.

    Raises:
        BoardError: its file is invalid.
    """
    return read_board(all_board_folders(near)[name])


def read_board(folder: Path) -> Board:
    """Load the board in a folder.

    Raises:
        BoardError: its file is invalid.
    """
    from wbridge.wbfirmware.boards.board_checks import (  # circle: it needs the types above
        check_board,
        check_files,
    )

    path = folder / "board.toml"
    data = _with_parts(folder, _with_family(path, _read(path)))
    check_board(path, data)
    data |= {key: kind(**data[key]) for key, kind in TABLES.items() if key in data}
    if "compiler" in data:
        data["compiler"] = _unfused(data["compiler"])
    data["pins"] = _pins(data["pins"], data.get("pixels", False))
    data["flashing"] = [FlashMethod(**part) for part in data.get("flashing", [])]
    for name, kind in GROUPS.items():
        data[name] = kind(**{key: data.pop(key) for key in kind._fields if key in data})
    board = Board(name=folder.name, folder=folder, **data)
    names = {**_printed_names(board), **board.circuit.names}
    board = board._replace(circuit=board.circuit._replace(names=names))
    check_files(board)
    return board


def _read(path: Path) -> dict[str, Any]:
    try:
        return read_toml(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise BoardError(f"{path}: {problem}") from None


def _printed_names(board: Board) -> dict[str, str]:
    """Return the names of pins that the file of its headers has, of those that the board has."""
    if board.wiring_file is None:
        return {}
    names = _read(board.wiring_file).get("names", {})
    return {name: pin for name, pin in names.items() if name not in board.pins and pin in board.pins}


def _like_folder(folder: Path, like: str) -> Path:
    """Return the folder of the board that the one in `folder` is like: beside it, or in wbridge."""
    bundled = templates_path() / "boards" / like
    places = (folder.parent / like, *(templates_path() / board / like for board in OTHER_BOARDS))
    return next((place for place in places if (place / "board.toml").is_file()), bundled)


def _with_family(path: Path, data: dict[str, Any]) -> dict[str, Any]:
    """Add the keys of the board that this one is like: tables key by key, ways to flash by their tools."""
    like = data.get("like", "")
    if not isinstance(like, str) or not like:
        return data
    folder = _like_folder(path.parent, like)
    if not folder.is_dir():
        names = sorted(
            {file.parent.name for file in path.parent.parent.glob("*/board.toml")} | set(board_folders())
        )
        raise BoardError(
            f'{path}: like: no board "{like}"{nearest(like, names)}; available: {", ".join(names)}'
        )
    base = _read(folder / "board.toml")
    if "like" in base:
        raise BoardError(f'{path}: like: "{like}" is itself like "{base["like"]}"; name that board')
    merged = _over(base, data)
    if "flashing" in base and "flashing" in data:
        ways = {way.get("tool"): way for way in base["flashing"]}
        own_tools = dict.fromkeys(way.get("tool") for way in data["flashing"])
        merged["flashing"] = [
            {**ways.get(tool, {}), **own}
            for tool in ways | own_tools
            for own in [way for way in data["flashing"] if way.get("tool") == tool] or [{}]
        ]
    return merged


def _over(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Return keys over those of a base, tables key by key."""
    merged = {**base, **own}
    for key, table in own.items():
        if isinstance(table, dict) and isinstance(base.get(key), dict):
            merged[key] = {**base[key], **table}
    return merged


def _with_parts(folder: Path, data: dict[str, Any]) -> dict[str, Any]:
    """Add the keys that the parts of a board have in their files board.toml; an earlier part overrides a
    later one."""
    parts = data.get("parts", [])
    for part in parts if isinstance(parts, list) else []:
        files = (place / "board.toml" for place in _part_places(folder, str(part)))
        file = next((file for file in files if file.is_file()), None)
        data = data if file is None else _over(_read(file), data)
    return data


def _part_places(folder: Path, part: str) -> list[Path]:
    """Return the possible folders of a part of the board in `folder`."""
    boards = (folder.parent, *(templates_path() / board for board in ("boards", *OTHER_BOARDS)))
    return [board / "shared" / part for board in boards]


def _unfused(compiler: Compiler) -> Compiler:
    """Disable fused operations, so that results are rounded as on the desktop."""
    return compiler._replace(flags=[flag for flag in compiler.flags if flag != UNFUSED] + [UNFUSED])


def _pins(data: dict[str, list[str]], pixels: bool) -> dict[str, dict[str, str]]:
    """Expand pin ranges; "D0..D3" means four pins. With `pixels`, outputs also have this function."""
    pins: dict[str, dict[str, str]] = {}
    for names, functions in data.items():
        able = {function: timer for function, _, timer in (function.partition(":") for function in functions)}
        if pixels and "output" in able:
            able["pixels"] = ""
        match = _RANGE.fullmatch(names)
        numbers = range(int(match[2]), int(match[3]) + 1) if match else ()
        for name in [f"{match[1]}{number}" for number in numbers] if match else [names]:
            pins[name] = able
    return pins
