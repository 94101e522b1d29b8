"""The bias of gyros: readings at rest are averaged at the start and subtracted.

Judge: the mean; the data sheet of the MPU-6050 (a zero-rate output of up to 20 degrees per second).
"""

from __future__ import annotations

import ctypes
import math
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.conftest import require_tool
from tests.firmware.conftest import boards, require_board
from tests.firmware.test_imu import BUS
from tests.firmware.watched import Robot
from tests.firmware.wired import mapped, table_of
from wbridge.main import main
from wbridge.wbfirmware.building.build import build
from wbridge.wbfirmware.template_folders import templates_path

SECONDS = 0.5
PROGRAM = """#include "bias.h"
#include "board.h"
static uint32_t now;
static struct bias bias;
uint32_t board_millis(void) { return now; }
void own_start(void) { bias = (struct bias){0}; }
void own_remove(double *values, uint32_t time) { now = time; bias_remove(&bias, 0.5, values); }
"""
Remove = Callable[[list[float], int], list[float]]


@pytest.fixture(scope="module")
def in_c(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    require_tool("cc", "compiles C")
    folder, project = tmp_path_factory.mktemp("bias"), templates_path() / "project"
    (folder / "config.h").write_text("#define LINK_REAL 8\n")
    (folder / "pins.h").write_text("#define BOARD_PINS 8\n")
    (folder / "own.c").write_text(PROGRAM)
    words = ["cc", "-O1", "-shared", "-fPIC", f"-I{folder}", f"-I{project}", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([*words, folder / "own.c", project / "bias.c", "-o", folder / "own.so"], check=True)
    return ctypes.CDLL(str(folder / "own.so"))


@pytest.fixture(params=["C", "Python"])
def remove(request: pytest.FixtureRequest, in_c: ctypes.CDLL) -> Remove:
    """Take a reading at a time in ms."""
    if request.param == "C":
        in_c.own_start()

        def in_library(values: list[float], now: int) -> list[float]:
            numbers = (ctypes.c_double * 3)(*values)
            in_c.own_remove(numbers, now)
            return list(numbers)

        return in_library
    text = (templates_path() / "micropython" / "bias.py").read_text()
    module, clock = ModuleType("bias"), SimpleNamespace(now=0)
    module.__dict__.update(ticks_ms=lambda: clock.now, ticks_diff=lambda end, start: end - start)
    exec(text.replace("from time import ticks_diff, ticks_ms\n", ""), module.__dict__)
    bias = module.Bias(SECONDS)

    def in_python(values: list[float], now: int) -> list[float]:
        clock.now = now
        return list(bias.remove(values))

    return in_python


def test_the_mean_of_readings_at_rest_is_subtracted(remove: Remove):
    offset, noise = [0.1, -0.2, 0.02], [0.01, -0.01]
    readings = [[one + noise[k % 2] for one in offset] for k in range(52)]
    for k, reading in enumerate(readings[:50]):
        assert remove(list(reading), 10 * k) == reading, "before, nothing is known"
    assert remove(list(readings[50]), 500) == pytest.approx([0.01] * 3, abs=0.001)
    assert remove([1.1, -0.2, 0.02], 510) == pytest.approx([1.0, 0.0, 0.0], abs=0.001)
    assert remove([0.5, 0.5, 0.5], 9000) == pytest.approx([0.4, 0.7, 0.48], abs=0.001), "and it stays"


@pytest.mark.parametrize("moved", [[0.2, 0.0, 0.0], [0.4, 0.4, 0.4]])
def test_a_robot_that_moves_is_not_averaged(remove: Remove, moved: list[float]):
    """One that is pushed begins again; one that turns faster than any offset never begins."""
    for k in range(40):
        remove([0.1, 0.1, 0.1], 10 * k)
    assert remove(moved, 400) == moved
    for k in range(41, 91):
        assert remove([0.1, 0.1, 0.1], 10 * k) == [0.1, 0.1, 0.1]
    assert remove([0.1, 0.1, 0.1], 910) == pytest.approx([0.0] * 3, abs=1e-6)


def test_one_that_turns_all_the_time_keeps_its_values(remove: Remove):
    for k in range(300):
        assert remove([0.0, 0.0, 0.5], 10 * k) == [0.0, 0.0, 0.5]


DEVICES: dict[str, tuple[str, dict[str, Any]]] = {"turning": ("Gyro", {"lookupTable": []})}
OFFSET = 655
"""10 degrees per second at a range of 500."""


def hardware_text(board: str, pins: tuple[str, str]) -> str:
    text = f'format = 1\nworld = "w.wbt"\nrobot = "all"\nboard = "{board}"\n[devices.turning]\n'
    text += f'driver = "mpu6050_gyro"\nsda = "{pins[0]}"\nscl = "{pins[1]}"\naxes = ["y", "-x", "z"]\n'
    return text + f"bias_time = {SECONDS}\n"


@pytest.mark.parametrize("board", boards("host", "arduino-uno", "pico"))
def test_a_board_corrects_its_gyro(board: str, tmp_path: Path):
    require_board(board)
    table = table_of(DEVICES)
    built = build(mapped(tmp_path, hardware_text(board, BUS[board]), table), tmp_path / "firmware")
    robot = Robot(built, table)
    with robot.bench:
        robot.bench.drive("I2C:0x68:0x75", 0x68)
        for register, counts in ((0x43, OFFSET), (0x45, 0), (0x47, -2 * OFFSET)):
            robot.bench.drive(f"I2C:0x68:{register}:2", counts)
        rate = math.radians(10)
        for _ in range(2):
            robot.pass_time(0.032)
            values = robot.step()
        assert values["turning.angularVelocity"] == pytest.approx([0, -rate, -2 * rate], abs=0.001)
        for _ in range(20):
            robot.pass_time(0.032)
            values = robot.step()
        assert values["turning.angularVelocity"] == pytest.approx([0, 0, 0], abs=1e-4)
        robot.bench.drive("I2C:0x68:0x47:2", 8 * OFFSET)
        for _ in range(2):
            robot.pass_time(0.032)
            values = robot.step()
        assert values["turning.angularVelocity"] == pytest.approx([0, 0, 10 * rate], abs=0.002)


WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 gravity 0 }
Robot {
  name "all"
  children [ Gyro { name "turning" } ]
  boundingObject Box { size 0.2 0.1 0.1 }
  physics Physics { }
}
"""
CODE = """from controller import Robot

robot = Robot()
gyro = robot.getDevice("turning")
gyro.enable(16)
while robot.step(16) != -1:
    pass
"""


def test_a_robot_that_rests_is_verified(tmp_path: Path):
    """The simulated gyro has no bias, so the board must find none."""
    (tmp_path / "w.wbt").write_text(WORLD)
    (tmp_path / "code.py").write_text(CODE)
    text = hardware_text("host-python", ("GP4", "GP5"))
    text = text.replace("format = 1\n", 'format = 1\nflavor = "standalone"\ncontroller = "code.py"\n')
    (tmp_path / "hardware.toml").write_text(text)
    words = ["--steps", "50", "--flavor", "standalone"]
    assert main(["-q", "firmware", "verify", str(tmp_path / "hardware.toml"), *words]) == 0
