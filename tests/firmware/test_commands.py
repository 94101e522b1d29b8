"""The commands that build a project without `make`.

Judge: what `make -n` prints in the project's folder, and for sizes avr-size.
"""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from tests.firmware.conftest import WORLD, require_board, two_wheels
from wbridge.wbfirmware.building.build import build
from wbridge.wbfirmware.building.commands import commands
from wbridge.wbfirmware.building.elf import Elf
from wbridge.wbfirmware.building.generate import generate
from wbridge.wbfirmware.building.symbols import symbols
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware

PATHS = "-fdebug-prefix-map="
"""Begin of a word with the name of the folder."""


def hardware_of(folder: Path, board: str, controller: str = "") -> Hardware:
    require_board(board)
    text = propose(two_wheels(), str(WORLD), board)
    if controller:
        place = CHECKOUT / "controllers" / controller
        text = text.replace('"slave"', f'"standalone"\ncontroller = "{place}"')
    (folder / "hardware.toml").write_text(text)
    return load_hardware(folder / "hardware.toml", two_wheels())


@pytest.mark.parametrize("controller", ["", "two_wheels_avoider", "two_wheels_avoider_loop"])
@pytest.mark.parametrize("board", ["arduino-uno", "arduino-mega"])
def test_commands_are_those_of_make(tmp_path: Path, board: str, controller: str):
    hardware = hardware_of(tmp_path, board, controller)
    generate(hardware, tmp_path / "firmware")
    printed = subprocess.run(
        ["make", "-n", "--no-print-directory"],
        cwd=tmp_path / "firmware",
        check=True,
        capture_output=True,
        text=True,
    ).stdout.replace("\\\n", " ")
    lines = [shlex.split(line) for line in printed.splitlines()]
    expected = [[word for word in words if not word.startswith(PATHS)] for words in lines]
    assert sorted(commands(hardware)) == sorted(expected)
    assert commands(hardware)[-1] == expected[-1]


def test_sizes_are_those_of_the_tool(tmp_path: Path):
    built = build(hardware_of(tmp_path, "arduino-uno"), tmp_path / "firmware")
    shown = subprocess.run(["avr-size", built.program], check=True, capture_output=True, text=True).stdout
    assert list(Elf(built.program).sizes) == list(map(int, shown.splitlines()[1].split()[:3]))


def test_addresses_are_those_of_the_tool(tmp_path: Path):
    built = build(hardware_of(tmp_path, "arduino-uno"), tmp_path / "firmware")
    listed = symbols(built.board, built.program)
    assert Elf(built.program).globals == listed
    assert "main" in listed
