"""Firmware over the air: the trial of new firmware, and what a boot loader makes of it.

The judges are the rules in docs/firmware.md, and the boot loader's states in the ESP-IDF Programming Guide.
Time is an argument here.
"""

from __future__ import annotations

import ctypes
import subprocess
from itertools import count
from pathlib import Path

import pytest

from tests.conftest import require_tool
from tests.firmware.conftest import WORLD, two_wheels
from wbridge.wbfirmware.building.generate import generate
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.template_folders import templates_path

NONE, ON, PASSED, FAILED = range(4)
JOIN_S, STABLE_S, STARTS = 60, 10, 3
WIFI = templates_path() / "sketch_boards" / "shared" / "arduino_wifi"
API, CALLS = (Path(__file__).with_name(name) for name in ("arduino_api", "update_calls.cpp"))
_NUMBERS = count()


class Trial:
    """trial.c; a copy of its own."""

    def __init__(self, folder: Path, starts: int, begin_ms: int = 0) -> None:
        compiler = require_tool("cc", "compiles the trial")
        made = folder / f"trial{next(_NUMBERS)}.so"
        subprocess.run(
            [compiler, "-shared", "-fPIC", "-Wall", "-Werror", WIFI / "trial.c", "-o", made], check=True
        )
        self._library = ctypes.CDLL(str(made))
        self._begin = begin_ms
        self._library.trial_begin(ctypes.c_uint32(starts), ctypes.c_uint32(begin_ms % 2**32))

    def at(self, seconds: float, is_reached: bool) -> int:
        """What has become of it some time after the start."""
        now = ctypes.c_uint32((self._begin + round(1000 * seconds)) % 2**32)
        return int(self._library.trial_go_on(ctypes.c_bool(is_reached), now))


@pytest.mark.parametrize("begin", [0, 2**32 - 5000], ids=["at 0", "where the clock wraps"])
def test_firmware_passes_when_the_board_stays_in_the_network(tmp_path: Path, begin: int):
    trial = Trial(tmp_path, 1, begin)
    assert [trial.at(k, False) for k in range(5)] == [ON] * 5
    assert [trial.at(5 + k, True) for k in range(STABLE_S)] == [ON] * STABLE_S
    assert trial.at(5 + STABLE_S, True) == PASSED
    assert trial.at(6 + STABLE_S, True) == NONE, "it passes once"


def test_a_network_that_comes_and_goes_counts_from_its_last_coming(tmp_path: Path):
    trial = Trial(tmp_path, 1)
    assert trial.at(1, True) == ON and trial.at(9, True) == ON
    assert trial.at(10, False) == ON and trial.at(12, True) == ON
    assert trial.at(12 + STABLE_S - 0.001, True) == ON and trial.at(12 + STABLE_S, True) == PASSED


def test_firmware_that_does_not_come_into_the_network_fails(tmp_path: Path):
    trial = Trial(tmp_path, 1)
    assert trial.at(JOIN_S - 0.001, False) == ON
    assert trial.at(JOIN_S, False) == FAILED
    assert trial.at(JOIN_S + 1, False) == NONE


def test_firmware_that_resets_again_and_again_fails(tmp_path: Path):
    assert Trial(tmp_path, STARTS).at(0, False) == ON
    assert Trial(tmp_path, STARTS + 1).at(0, False) == FAILED


def test_firmware_that_was_accepted_is_never_on_trial(tmp_path: Path):
    trial = Trial(tmp_path, 0)
    assert {trial.at(k, k > 50) for k in range(200)} == {NONE}


@pytest.fixture(scope="module")
def esp32(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program with an ESP32's boot loader."""
    return compiled(tmp_path_factory.mktemp("update"), "secret")


def compiled(folder: Path, password: str) -> Path:
    """See `esp32`."""
    compiler = require_tool("c++", "compiles sketches")
    path, project = folder / "hardware.toml", folder / "firmware"
    path.write_text(propose(two_wheels(), str(WORLD), "esp32").replace('wire = "serial"', 'wire = "tcp"'))
    generate(load_hardware(path, two_wheels()), project)
    secrets = project / "secrets.h"
    secrets.write_text(secrets.read_text().replace('UPDATE_PASSWORD ""', f'UPDATE_PASSWORD "{password}"'))
    made = folder / "calls"
    flags = ["-std=gnu++17", "-Wall", "-Wextra", "-Werror", "-DARDUINO_ARCH_ESP32", "-include", "stdlib.h"]
    trial = folder / "trial.o"
    subprocess.run(["cc", "-c", project / "trial.c", "-o", trial], check=True)
    words = [compiler, *flags, f"-I{API}", f"-I{project}", CALLS, project / "update.cpp", trial, "-o", made]
    subprocess.run(words, check=True)
    return made


def told(program: Path, lines: list[str], *options: str) -> list[str]:
    """What it prints."""
    done = subprocess.run(
        [program, *options], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def test_a_new_image_that_joins_the_network_stays(esp32: Path):
    lines = [f"{1000 * k} {int(k > 3)}" for k in range(20)]
    found = told(esp32, [*lines, "reset"])
    assert found[-1] == "the new image runs" and "update: accepted" in found
    assert {"name robot", "password", "begin"} <= set(found)


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([f"{1000 * k} 0" for k in range(70)], id="it never joins"),
        pytest.param(["0 0", "1000 1", "2000 1", "reset"], id="it crashes before it is accepted"),
        pytest.param(["0 0", "reset"], id="it crashes at once"),
    ],
)
def test_a_new_image_that_does_not_answer_goes(esp32: Path, lines: list[str]):
    found = told(esp32, lines)
    assert found[-1] == "the former image runs" and "update: accepted" not in found


def test_the_motors_stop_before_an_image_goes_and_while_it_comes(esp32: Path):
    found = told(esp32, [f"{1000 * k} 0" for k in range(70)])
    assert found.index("robot_stop") < found.index("the former image runs")
    assert "robot_stop" in told(esp32, ["0 1"], "valid")


def test_an_image_that_was_flashed_by_cable_is_not_on_trial(esp32: Path):
    found = told(esp32, [f"{1000 * k} 0" for k in range(200)], "valid")
    assert found == ["the new image runs"]


def test_without_a_password_there_are_no_updates(tmp_path: Path):
    found = told(compiled(tmp_path, ""), [f"{1000 * k} 1" for k in range(20)])
    assert "begin" not in found and found[-1] == "the new image runs"
