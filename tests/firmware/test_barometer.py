"""A BMP280 as an altimeter.

Judge: Bosch's data sheet, whose example of a calibration gives 25.08 degrees Celsius and 100653.27 Pa for the
readings 519888 and 415148; and the international standard atmosphere: 1013.25 hPa at 0 m, 898.75 hPa at
1000 m.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.firmware.conftest import boards, require_board
from tests.firmware.test_imu import BUS
from tests.firmware.watched import Robot
from tests.firmware.wired import mapped, table_of
from wbridge.main import main
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbverify.coupling.bmp280_altimeter import altitude, part_registers, pressure

EXAMPLE_PRESSURE, EXAMPLE_PA = 415148, 100653.27
ADDRESS, MODE = 0x76, 0xF4


def test_the_example_of_the_data_sheet():
    assert pressure(EXAMPLE_PRESSURE) == pytest.approx(EXAMPLE_PA, abs=0.01)
    assert altitude(101325.0, 1013.25) == 0
    assert altitude(89874.6, 1013.25) == pytest.approx(1000, abs=0.1)


DEVICES: dict[str, tuple[str, dict[str, Any]]] = {"height": ("Altimeter", {})}


def hardware_text(board: str) -> str:
    sda, scl = BUS[board]
    return (
        f'format = 1\nworld = "w.wbt"\nrobot = "all"\nboard = "{board}"\n[link]\ntable = false\n'
        f'[devices.height]\ndriver = "bmp280_altimeter"\nsda = "{sda}"\nscl = "{scl}"\nsea_level = 1020.0\n'
    )


@pytest.fixture(scope="module", params=boards("host", "arduino-uno", "pico"))
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    require_board(request.param)
    folder = tmp_path_factory.mktemp("barometer")
    return build(mapped(folder, hardware_text(request.param), table_of(DEVICES)), folder / "firmware")


@pytest.fixture
def robot(built: Built) -> Iterator[Robot]:
    made = Robot(built, table_of(DEVICES))
    with made.bench:
        yield made


def connect(robot: Robot) -> None:
    for event in part_registers(ADDRESS):
        robot.bench.drive(event.pin, event.value)
    robot.bench.drive(f"I2C:{ADDRESS}:{MODE}", 0)


def measure(robot: Robot, raw: int) -> None:
    for k, one in enumerate((raw << 4).to_bytes(3, "big")):
        robot.bench.drive(f"I2C:{ADDRESS}:{0xF7 + k}", one)


def test_the_board_computes_the_altitude_of_the_example(robot: Robot):
    assert robot.step() == {}, "there is no part"
    connect(robot)
    assert robot.step() == robot.step() == {}, "it has not measured yet"
    assert robot.bench.show(f"I2C:{ADDRESS}:{MODE}").value == 0x57
    measure(robot, EXAMPLE_PRESSURE)
    robot.step()
    wanted = 44330.77 * (1 - (EXAMPLE_PA / 102000) ** 0.190263)
    (found,) = robot.step().values()
    assert found == pytest.approx(wanted, abs=0.1)


def test_a_part_that_had_no_power_or_was_another_one_is_set_up_again(robot: Robot):
    connect(robot)
    measure(robot, EXAMPLE_PRESSURE)
    robot.step()
    assert robot.step() != {}
    robot.bench.drive(f"I2C:{ADDRESS}:{MODE}", 0)
    robot.step()
    robot.step()
    assert robot.step() != {} and robot.bench.show(f"I2C:{ADDRESS}:{MODE}").value == 0x57
    robot.bench.drive(f"I2C:{ADDRESS}:{0xD0}", 0x61)  # a BME680
    robot.bench.drive(f"I2C:{ADDRESS}:{MODE}", 0)
    robot.step()
    assert robot.step() == {}


WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 gravity 0 }
Robot {
  name "all"
  translation 0 0 120
  linearVelocity 0 0 8
  children [ Altimeter { name "height" } LED { name "led" color [ 1 0 0 ] } ]
  boundingObject Box { size 0.1 0.1 0.1 }
  physics Physics { }
}
"""
CODE = {
    ".c": """#include <webots/altimeter.h>
#include <webots/led.h>
#include <webots/robot.h>

int main(void) {
  wb_robot_init();
  const WbDeviceTag height = wb_robot_get_device("height"), led = wb_robot_get_device("led");
  wb_altimeter_enable(height, 16);
  while (wb_robot_step(16) != -1) wb_led_set(led, wb_altimeter_get_value(height) > 123.03);
}
""",
    ".cpp": """#include <webots/Altimeter.hpp>
#include <webots/LED.hpp>
#include <webots/Robot.hpp>

int main() {
  webots::Robot robot;
  webots::Altimeter *height = robot.getAltimeter("height");
  webots::LED *led = robot.getLED("led");
  height->enable(16);
  while (robot.step(16) != -1) led->set(height->getValue() > 123.03);
}
""",
    ".py": """from controller import Robot

robot = Robot()
height, led = robot.getDevice("height"), robot.getDevice("led")
height.enable(16)
while robot.step(16) != -1:
    led.set(height.getValue() > 123.03)
""",
}
VERIFIED = {
    "host": (*BUS["host"], "D13"),
    "arduino-uno": (*BUS["arduino-uno"], "D13"),
    "pico": (*BUS["pico"], "GP20"),
    "host-python": ("GP4", "GP5", "GP20"),
    "pico-micropython": ("GP4", "GP5", "GP20"),
}


@pytest.mark.parametrize(
    ("board", "suffix"),
    [
        pytest.param("host", ".c", marks=pytest.mark.slow),
        ("arduino-uno", ".cpp"),
        ("host-python", ".py"),
        pytest.param("pico", ".c", marks=pytest.mark.boards),
        pytest.param("pico-micropython", ".py", marks=pytest.mark.boards),
    ],
)
def test_the_board_reads_the_altitude_of_the_simulated_robot(board: str, suffix: str, tmp_path: Path):
    if suffix != ".py":
        require_board(board)
    sda, scl, pin = VERIFIED[board]
    text = f'format = 1\nworld = "w.wbt"\nrobot = "all"\nboard = "{board}"\nflavor = "standalone"\n'
    text += f'controller = "code{suffix}"\n[devices.led]\ndriver = "gpio_led"\npin = "{pin}"\n'
    text += f'[devices.height]\ndriver = "bmp280_altimeter"\nsda = "{sda}"\nscl = "{scl}"\n'
    (tmp_path / "w.wbt").write_text(WORLD)
    (tmp_path / f"code{suffix}").write_text(CODE[suffix])
    (tmp_path / "hardware.toml").write_text(text)
    words = ["--steps", "60", "--flavor", "standalone"]
    assert main(["-q", "firmware", "verify", str(tmp_path / "hardware.toml"), *words]) == 0
