"""The C of firmware, as it is generated, gives cppcheck and -Wconversion nothing to say."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import require_tool
from tests.firmware import (
    test_display,
    test_display_on_boards,
    test_drivers,
    test_imu,
    test_packets,
    test_parts,
)
from tests.firmware.conftest import WORLD, boards, require_board, two_wheels
from tests.firmware.onboard import AVOIDER
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.building.generate import generate
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.template_folders import flavor_names

pytestmark = pytest.mark.boards
AVR = ["-D__AVR__", "-D__flash=", "-DF_CPU=16000000UL", "-D__AVR_ATmega328P__", "-D__SIZEOF_DOUBLE__=4"]
CHECKS = ["--quiet", "--enable=warning,portability,performance", "--std=c11", "--error-exitcode=1"]
"""What the checker looks for besides errors."""


def maps(folder: Path, board: str) -> Iterator[Hardware]:
    """Robots with all flavors, and on the host with all drivers."""
    for flavor in flavor_names():
        more = f'"{flavor}"' if flavor == "slave" else f'"{flavor}"\ncontroller = "{AVOIDER}"\nheap = 64'
        text = propose(two_wheels(), str(WORLD), board).replace('"slave"', more)
        (folder / "hardware.toml").write_text(text)
        yield load_hardware(folder / "hardware.toml", two_wheels())
    if board == "host":
        drivers = test_drivers.MAP.replace("BOARD", board).replace("SUPPLY", "5.0")
        (folder / "code.c").write_text(test_display_on_boards.CODE)
        for text, table in (
            (drivers, test_drivers.every_driver()),
            (test_imu.wired(board), test_imu.table()),
            (test_packets.MAP, test_packets.table()),
            (test_parts.wired(board), test_parts.table()),
            (test_display.wired(board), test_display.table()),
        ):
            (folder / "hardware.toml").write_text(text)
            yield load_hardware(folder / "hardware.toml", table)


@pytest.mark.parametrize("board", boards())
def test_a_checker_of_c_finds_nothing(board: str, tmp_path: Path):
    require_tool("cppcheck", "apt install cppcheck")
    defined = AVR if "avr" in load_board(board).compiler.command else ["-D__SIZEOF_DOUBLE__=8"]
    for number, hardware in enumerate(maps(tmp_path, board)):
        folder = tmp_path / str(number)
        generate(hardware, folder)
        sources = [file.name for file in sorted(folder.glob("*.c"))]
        command = ["cppcheck", *CHECKS, "-I.", *defined, *sources]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("board", boards())
def test_no_conversion_loses_digits_by_accident(board: str, tmp_path: Path):
    """Builds only warn of it, as controllers of users may have such conversions; here it is an error."""
    require_board(board)
    for number, hardware in enumerate(maps(tmp_path, board)):
        folder = tmp_path / str(number)
        generate(hardware, folder)
        makefile = folder / "Makefile"
        text = makefile.read_text()
        assert " -Wno-error=conversion" in text
        makefile.write_text(text.replace(" -Wno-error=conversion", ""))
        done = subprocess.run(["make", "-s", "-C", str(folder)], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
