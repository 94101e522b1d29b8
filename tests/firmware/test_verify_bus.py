"""`wbridge firmware verify` of parts at the I2C bus, which keep a board busy for a good part of its step."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.firmware.conftest import boards, require_board
from tests.firmware.tables import step_rows
from wbridge.main import main

STEPS = 50
WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep STEP_MS }
Robot {
  name "imu"
  children [ Accelerometer { name "felt" } Gyro { name "turned" } Compass { name "north" }
    Compass { name "south" } ]
  battery [ 500, 1000 ]
  cpuConsumption 90
  boundingObject Box { size 0.2 0.1 0.1 }
  physics Physics { }
  angularVelocity 0.3 0.5 1
}
"""
CODE = """#include <webots/accelerometer.h>
#include <webots/compass.h>
#include <webots/gyro.h>
#include <webots/robot.h>

int main(void) {
  wb_robot_init();
  wb_accelerometer_enable(wb_robot_get_device("felt"), STEP_MS);
  wb_gyro_enable(wb_robot_get_device("turned"), STEP_MS);
  wb_compass_enable(wb_robot_get_device("north"), STEP_MS);
  wb_compass_enable(wb_robot_get_device("south"), STEP_MS);
  wb_robot_battery_sensor_enable(STEP_MS);
  while (wb_robot_step(STEP_MS) != -1) {
  }
  return 0;
}
"""
DRIVERS = {"felt": "mpu6050_accelerometer", "turned": "mpu6050_gyro", "north": "hmc5883l_compass"}
DRIVERS |= {"south": "qmc5883l_compass"}
BATTERY = """[battery]
driver = "ina219_battery"
sda = "{sda}"
scl = "{scl}"
curve = [[6.0, 0.0], [8.4, 1000.0]]
"""
PINS = {"arduino-uno": ("A4", "A5"), "stm32f405": ("PB11", "PB10")}
STEP_MS = {"arduino-uno": 8, "stm32f405": 32}
"""To set up all parts in the first step takes 3 ms of the Uno, some 15 ms where a program drives the bus."""


def imu_map(folder: Path, board: str, step_ms: int) -> Path:
    """Write world, controller and hardware map of a robot with parts on the bus."""
    for name, text in (("imu.wbt", WORLD), ("imu.c", CODE)):
        (folder / name).write_text(text.replace("STEP_MS", str(step_ms)))
    sda, scl = PINS[board]
    text = f'format = 1\nworld = "imu.wbt"\nrobot = "imu"\nboard = "{board}"\n'
    text += 'flavor = "standalone"\ncontroller = "imu.c"\n'
    for name, driver in DRIVERS.items():
        text += f'[devices.{name}]\ndriver = "{driver}"\nsda = "{sda}"\nscl = "{scl}"\n'
    path = folder / "hardware.toml"
    path.write_text(text + BATTERY.format(sda=sda, scl=scl))
    return path


@pytest.mark.parametrize("board", boards(*PINS))
def test_what_parts_tell_is_read_to_the_bit(board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The controller commands nothing; all of the comparison is what it has read."""
    require_board(board)
    map_file = imu_map(tmp_path, board, STEP_MS[board])
    table = tmp_path / "table.csv"
    words = ["--steps", str(STEPS), "--flavor", "standalone", "--table", str(table)]
    assert main(["-q", "firmware", "verify", str(map_file), *words]) == 0, capsys.readouterr()
    rows = step_rows(table)
    assert {row["result"] for row in rows} == {"agrees"}
    assert len(rows) == STEPS * (3 * len(DRIVERS) + 1)
    assert all(row["desktop"] == row["board"] for row in rows)
    assert len({row["board"] for row in rows if row["device"] == "north"}) > STEPS
    assert len({row["board"] for row in rows if row["device"] == "south"}) > STEPS
    assert len({row["board"] for row in rows if row["device"] == "imu"}) > STEPS / 10


@pytest.mark.parametrize("board", boards("arduino-uno"))
def test_a_board_without_a_controller_sends_its_battery(
    board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    require_board(board)
    table = tmp_path / "table.csv"
    words = ["--steps", "10", "--flavor", "slave", "--table", str(table)]
    assert main(["-q", "firmware", "verify", str(imu_map(tmp_path, board, 32)), *words]) == 0, (
        capsys.readouterr()
    )
    readings = [float(row["board"]) for row in step_rows(table) if row["value"] == "battery"]
    assert readings == sorted(readings, reverse=True), "the processor consumes 90 W"
    assert 500 - 90 * 0.032 * 10 - 5 < readings[-1] < readings[0] < 500
