"""Firmware over the air on a Pico W, as a machine with states: its flash, its files and its boot loader.

Judges: docs/firmware.md, "Over the air"; arduino-pico's documentation of OTA updates (the boot loader copies
a committed file into flash). A process is a start of the board.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.conftest import require_tool
from tests.firmware.conftest import WORLD, two_wheels
from wbridge.wbfirmware.building.generate import generate
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware

API, CALLS = (Path(__file__).with_name(name) for name in ("arduino_api", "update_pico_calls.cpp"))
END = "-Wl,--defsym=__flash_binary_end=0x10000400"
"""Of the program in flash: 1024 bytes."""
ALWAYS = [f"{1000 * k} 1" for k in range(30)]
NEVER = [f"{1000 * k} 0" for k in range(70)]
OLD, NEW = "old", "new"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sketch's file with a model of the board."""
    folder = tmp_path_factory.mktemp("pico")
    path, project = folder / "hardware.toml", folder / "firmware"
    path.write_text(propose(two_wheels(), str(WORLD), "pico-w").replace('wire = "serial"', 'wire = "tcp"'))
    generate(load_hardware(path, two_wheels()), project)
    secrets = project / "secrets.h"
    secrets.write_text(secrets.read_text().replace('UPDATE_PASSWORD ""', 'UPDATE_PASSWORD "secret"'))
    flags = ["-std=gnu++17", "-Wall", "-Wextra", "-Werror", "-no-pie", "-DARDUINO_ARCH_RP2040"]
    trial, made = folder / "trial.o", folder / "board"
    subprocess.run(["cc", "-c", project / "trial.c", "-o", trial], check=True)
    compiler = require_tool("c++", "compiles sketches")
    words = [compiler, *flags, f"-I{API}", f"-I{project}", CALLS, project / "update.cpp", trial, END]
    subprocess.run([*words, "-o", made], check=True)
    return made


class Board:
    """A Pico W; it starts with the program OLD."""

    def __init__(self, program: Path, folder: Path) -> None:
        self._program, self._folder = program, folder
        (folder / "flash").write_bytes(OLD.encode() + bytes(1024 - len(OLD)))

    def start(self, lines: list[str], writes: int = -1, full: bool = False) -> list[str]:
        """What it prints from a start until it starts again, or is switched off after the lines.

        Args:
            lines: what happens.
            writes: the power fails at this write to a file; -1: never.
            full: the file system has no room.
        """
        environment = {**os.environ, **({"FULL": "1"} if full else {})}
        done = subprocess.run(
            [self._program, self._folder, str(writes)],
            input="\n".join(lines),
            capture_output=True,
            text=True,
            check=False,
            env=environment,
        )
        assert done.returncode in (0, 3), done
        return done.stdout.splitlines()

    def runs(self) -> str:
        """The program that the next start runs."""
        return self.start([])[0].removesuffix(" runs")


@pytest.fixture
def board(program: Path, tmp_path: Path) -> Board:
    return Board(program, tmp_path)


def updated(board: Board) -> Board:
    """It has just got the program NEW."""
    assert board.start([*ALWAYS, f"update {NEW}"])[0] == f"{OLD} runs"
    return board


def test_new_firmware_that_stays_in_the_network_is_accepted(board: Board):
    assert "update: accepted" in updated(board).start(ALWAYS)
    for _ in range(6):
        assert board.start(NEVER) == [f"{NEW} runs"], "it is not on trial any more"


def test_new_firmware_without_a_network_goes(board: Board):
    said = updated(board).start(NEVER)
    assert said[0] == f"{NEW} runs" and "robot_stop" in said
    for _ in range(6):
        assert board.start(NEVER) == [f"{OLD} runs"]


def test_new_firmware_that_crashes_again_and_again_goes_at_its_fourth_start(board: Board):
    updated(board)
    assert [board.start(["0 0", "1000 1"])[0] for _ in range(4)] == [f"{NEW} runs"] * 4
    assert board.runs() == OLD


def test_a_transfer_that_is_cut_off_leaves_no_trial(board: Board):
    board.start([*ALWAYS, "abort"])
    assert board.start(NEVER) == [f"{OLD} runs"]


def test_firmware_on_trial_takes_no_update(board: Board):
    """Its former firmware would be lost."""
    said = updated(board).start(["0 1", "1000 1", "update third"])
    assert "offers updates" not in said
    assert "offers updates" in board.start(ALWAYS)


def test_without_room_for_the_former_firmware_the_new_one_stays(board: Board):
    said = board.start([*ALWAYS, f"update {NEW}"], full=True)
    assert "update: no room for the former firmware, which cannot come back" in said
    for _ in range(6):
        assert board.start(NEVER) == [f"{NEW} runs"]


@pytest.mark.parametrize("writes", range(1, 5))
def test_power_that_fails_while_the_former_firmware_comes_back(board: Board, writes: int):
    """At each write; the new firmware must not count as accepted."""
    updated(board).start(NEVER, writes)
    for _ in range(5):
        board.start(NEVER)
    assert board.runs() == OLD


@pytest.mark.parametrize("writes", range(1, 7))
def test_power_that_fails_before_an_update_leaves_the_program(board: Board, writes: int):
    board.start([*ALWAYS, f"update {NEW}"], writes)
    for _ in range(5):
        assert board.start(NEVER)[0] in (f"{OLD} runs", f"{NEW} runs")
    if writes <= 5:  # four blocks of the program, and the file of the trial
        assert board.runs() == OLD
