"""Firmware of the robot of worlds/two_wheels.wbt, built once for each board."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from _pytest.mark.structures import ParameterSet

from tests.conftest import CHECKOUT, absent, require_tool
from wbridge.hal.table import DeviceTable
from wbridge.libcontroller.compiling import BuildError
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.tables.device_tables import device_tables
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbfirmware.emulators.rp2040 import emulator_module
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.template_folders import board_names

WORLD = CHECKOUT / "worlds" / "two_wheels.wbt"


@cache
def two_wheels() -> DeviceTable:
    """The device table of the robot."""
    return device_tables(load_world(WORLD))[0]


@pytest.fixture
def terminal() -> Iterator[tuple[int, str]]:
    """A pseudo terminal: the file of the board's side, and its name."""
    own, other = os.openpty()
    yield own, os.ttyname(other)
    os.close(own)
    os.close(other)


QUICK = "host", "arduino-uno"
"""Boards in `make test`; the others are for make test-firmware, because of their tools or their number.
Where a test has both, the one on the host is for make test-slow: the other one proves more."""


def families() -> list[str]:
    """The names of all boards but those that are `like` another one of their family.

    These differ from it only in numbers, so it stands for them in tests; they are built and verified for
    1,000 steps by scripts.firmware_sizes and scripts.firmware_verified.
    """
    return [name for name in board_names() if not load_board(name).project.like]


def kinds() -> list[str]:
    """The names of one board of each kind: those with the same shared files, and own files of the same names.

    For long comparisons; scripts.firmware_verified compares all boards for 1,000 steps.
    """
    found: dict[tuple[str, ...], str] = {}
    for name in families():
        board = load_board(name)
        own = (one.name for one in board.folder.iterdir())
        found.setdefault((board.emulator, *sorted(board.project.parts), *sorted(own)), name)
    return list(found.values())


def boards(*names: str, host: bool = False) -> list[ParameterSet]:
    """Parameters of a test for boards.

    Args:
        names: the boards; default: those of `families`.
        host: the host is as quick as other boards, for what depends on its numbers of 8 bytes.
    """
    chosen = names or families()
    marks = {name: () if name in QUICK else pytest.mark.boards for name in chosen}
    if not host and set(QUICK) <= set(chosen):
        marks["host"] = pytest.mark.slow
    return [pytest.param(name, marks=marks[name]) for name in chosen]


def require_board(name: str) -> None:
    """The tools of a board, or the test ends here."""
    board = load_board(name)
    require_tool("make", "builds firmware")
    require_tool(board.compiler.command, f"apt install {board.compiler.packages}")
    if board.emulator == "simavr" and not Path("/usr/include/simavr/sim_avr.h").is_file():
        absent("libsimavr-dev is not installed: it emulates boards with an AVR")
    if board.emulator == "rp2040":
        require_tool("node", "apt install nodejs")
        try:
            emulator_module(board)
        except BuildError as problem:
            absent(str(problem))
    if board.emulator == "qemu":
        require_tool(board.emulation["program"], f"apt install {board.emulation['packages']}")


class Firmware(NamedTuple):
    """A firmware that has been built, and its hardware map."""

    built: Built
    hardware: Hardware

    def pin(self, device: str, parameter: str) -> str:
        """The pin of a device."""
        found = next(one for one in self.hardware.wirings if one.device.name == device)
        return str(found.values[parameter])


def with_tracks(text: str, pins: Iterable[str]) -> str:
    """A hardware map with other pins of the encoders."""
    others = iter(pins)
    return re.sub(r'(?<=^[ab] = ")\w+', lambda found: next(others, found[0]), text, flags=re.MULTILINE)


def by_interrupts(text: str, board: str) -> str:
    """A hardware map in which encoders have pins with interrupts instead of those that a timer counts."""
    known = load_board(board)
    timed = {pin for pins in known.timing.encoders.values() for pin in pins}
    able = [pin for pin in known.able("change") if pin not in timed]
    free = [name for name in map(known.name_of, able) if f'"{name}"' not in text]
    return with_tracks(text, free) if timed else text


def build_firmware(folder: Path, board: str, wire: str = "", timed: bool = True) -> Firmware:
    """The firmware of a board that a controller drives, built in a folder; see `built`."""
    require_board(board)
    text = propose(two_wheels(), str(WORLD), board)
    text = text if timed else by_interrupts(text, board)
    text = re.sub('(?<=^wire = ").*(?="$)', wire, text, flags=re.MULTILINE) if wire else text
    (folder / "hardware.toml").write_text(text)
    hardware = load_hardware(folder / "hardware.toml", two_wheels())
    return Firmware(build(hardware, folder / "firmware"), hardware)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Firmware]:
    """A function that builds the firmware of a board with a wire, each once; `timed`: timers may count."""

    @cache
    def make(board: str, wire: str = "", timed: bool = True) -> Firmware:
        return build_firmware(tmp_path_factory.mktemp(board), board, wire, timed)

    return make
