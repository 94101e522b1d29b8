"""Sensors at the I2C bus and lamps of many colors: boards read registers, controllers what they mean."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.firmware.bus import at_the_bus, sensors
from tests.firmware.conftest import boards, require_board
from tests.firmware.onboard import text_of as printed
from tests.firmware.test_drivers import ELSEWHERE, pin
from tests.firmware.wired import mapped, table_of
from wbridge.hal.link.master import Master
from wbridge.hal.link.pipe import VirtualClock
from wbridge.hal.table import DeviceTable
from wbridge.wbfirmware.bench import Bench, lockstep_pipe
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbfirmware.map.reading import load_hardware

STEP = 32
HALF = [[-20.0, -10.0, 0.0], [20.0, 10.0, 0.0]]
RED, GREEN = [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]
DEVICES = {
    **sensors(acceleration=HALF),
    "lamp": ("LED", {"gradual": False, "color": [RED, GREEN]}),
    "dimmed": ("LED", {"gradual": True, "color": [RED]}),
    "south": ("Compass", {"lookupTable": []}),
}
BUS = {
    "host": ("D20", "D21"),
    "arduino-uno": ("A4", "A5"),
    "pico": ("GP4", "GP5"),
    "arduino-nano": ("A4", "A5"),
    "arduino-mega": ("D20", "D21"),
    "arduino-leonardo": ("D2", "D3"),
    "microbit": ("P20", "P19"),
    "microbit-v2": ("P20", "P19"),
    "riscv-virt": ("D20", "D21"),
    "bluepill": ("PB11", "PB10"),
    "nucleo-f401re": ("D14", "D15"),
    "stm32f405": ("PB11", "PB10"),
    "stm32vldiscovery": ("PB11", "PB10"),
}
MAP = """format = 1
world = "w.wbt"
robot = "all"
board = "BOARD"
[link]
table = false
SENSORS[devices.lamp]
driver = "rgb_led"
red = "D3"
green = "D5"
blue = "D6"
[devices.dimmed]
driver = "pwm_led"
pin = "D9"
inverted = true
[devices.south]
driver = "qmc5883l_compass"
sda = "SDA"
scl = "SCL"
axes = ["-x", "-y", "z"]
offset = [0.0, 0.0, -50.0]
range = 8.0
[battery]
driver = "ina219_battery"
sda = "SDA"
scl = "SCL"
address = 0x41
curve = [[6.0, 0.0], [8.0, 1000.0]]
"""


def table() -> DeviceTable:
    return table_of(DEVICES)


def wired(board: str) -> str:
    """The hardware map for a board."""
    at_bus = at_the_bus(
        *BUS[board],
        acceleration='axes = ["y", "-x", "z"]\nrange = 8',
        turning="range = 250",
        north="offset = [100.0, 0.0, 0.0]",
    )
    text = re.sub(r'"(D\d+)"', lambda match: f'"{pin(board, match[1])}"', MAP)
    sda, scl = BUS[board]
    return text.replace("BOARD", board).replace("SENSORS", at_bus).replace("SDA", sda).replace("SCL", scl)


@pytest.fixture(scope="module", params=boards(*BUS))
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    require_board(request.param)
    folder = tmp_path_factory.mktemp(request.param)
    hardware = mapped(folder, wired(request.param), table())
    assert {one.driver.name for one in hardware.wirings} == ELSEWHERE
    return build(hardware, folder / "firmware")


class Robot:
    """A controller and the board's bench."""

    def __init__(self, program: Built) -> None:
        self.board = program.board.name
        self.bench = Bench(program.board, program.program, lockstep=True)
        self.clock = VirtualClock()
        self.pipe = lockstep_pipe(self.bench, self.clock)
        self.master = Master(table(), lambda: self.pipe, clock=self.clock, sleep=lambda seconds: None)
        self.master.connect(1.0)
        for slot in self.master.numbering.slots:
            self.master.set_period(slot, STEP)

    def plug_in(self) -> None:
        """An MPU-6050 and an HMC5883L as they are after power-up."""
        self.bench.drive("I2C:0x68:0x75", 0x68)
        self.bench.drive("I2C:0x68:0x6B", 0x40)
        for place, letter in enumerate(b"H43"):
            self.bench.drive(f"I2C:0x1E:{0x0A + place}", letter)
        self.bench.drive("I2C:0x1E:2", 1)

    def registers(self, address: str, first: int, *values: int) -> None:
        for place, value in enumerate(values):
            self.bench.drive(f"I2C:{address}:{first + 2 * place}:2", value)

    def step(self) -> dict[str, tuple[float, ...]]:
        step = self.master.step(STEP, 0.5)
        assert step is not None
        self.pipe.pipe.pass_time(0.02)  # type: ignore[attr-defined]
        return {channel.label: value for channel, value in step.values}

    def shine(self, tag: int, value: int, *pins: str) -> list[float]:
        channel = self.master.numbering.channel(tag, "value")
        assert channel is not None
        self.master.set(channel, value)
        self.step()
        return [self.bench.show(pin(self.board, name)).value for name in pins]


@pytest.fixture
def robot(program: Built) -> Iterator[Robot]:
    made = Robot(program)
    yield made
    made.bench.close()


def test_the_parts_are_set_up_as_the_map_says(robot: Robot):
    robot.plug_in()
    robot.step()
    show = robot.bench.show
    assert show("I2C:0x68:0x6B")[:2] == ("register", 1)  # awake
    assert show("I2C:0x68:0x1C")[:2] == ("register", 2 << 3)  # 8 g
    assert show("I2C:0x68:0x1B")[:2] == ("register", 0)  # 250 degrees per second
    assert show("I2C:0x68:0x1A")[:2] == ("register", 3)  # 44 Hz
    assert show("I2C:0x1E:1")[:2] == ("register", 1 << 5)  # 1.3 gauss
    assert show("I2C:0x1E:2")[:2] == ("register", 0)  # continuous


def test_acceleration_goes_by_range_axes_and_lookup_table(robot: Robot):
    robot.plug_in()
    robot.registers("0x68", 0x3B, 4096, -2048, 1024)  # of 32768 for 8 g
    found = robot.step()["acceleration.acceleration"]
    g = 9.80665
    assert found == pytest.approx((-0.5 * g / 2, -1.0 * g / 2, 0.25 * g / 2), rel=1e-5)


def test_turning_is_in_radians_per_second(robot: Robot):
    robot.plug_in()
    robot.registers("0x68", 0x43, 32767, -32768, 131)
    found = robot.step()["turning.angularVelocity"]
    full = math.radians(250)
    assert found == pytest.approx((full, -full, 131 / 32768 * full), rel=1e-4)


def test_north_is_a_unit_vector_without_the_robots_own_iron(robot: Robot):
    robot.plug_in()
    robot.registers("0x1E", 3, 400, -400, 0)  # x, z, y
    assert robot.step()["north.north"] == pytest.approx((0.6, 0.0, -0.8), rel=1e-5)


def test_a_field_that_is_too_strong_is_no_direction(robot: Robot):
    robot.plug_in()
    robot.registers("0x1E", 3, 400, -4096, 0)
    assert "north.north" not in robot.step()


def test_the_other_magnetometer_counts_low_bytes_first(robot: Robot):
    """Judge: data sheet of the QMC5883L."""
    robot.bench.drive("I2C:0x0D:0x0D", 0xFF)
    for place, value in enumerate((0x2C, 0x01, 0x70, 0xFE, 0xCE, 0xFF)):  # 300, -400, -50
        robot.bench.drive(f"I2C:0x0D:{place}", value)
    assert robot.step()["south.north"] == pytest.approx((-0.6, 0.8, 0.0), abs=1e-5)
    assert robot.bench.show("I2C:0x0D:0x09")[:2] == ("register", 0x19)  # 8 gauss, 100 Hz, continuous
    assert robot.bench.show("I2C:0x0D:0x0B")[:2] == ("register", 0x01)
    robot.bench.drive("I2C:0x0D:6", 2)  # the field is too strong
    assert "south.north" not in robot.step()
    robot.bench.drive("I2C:0x0D:6", 0)
    robot.bench.drive("I2C:0x0D:9", 0)  # it has lost its power, and stands by
    assert "south.north" not in robot.step()
    assert "south.north" in robot.step()


@pytest.mark.parametrize(("volts", "joules"), [(7.0, 500), (5.0, 0), (26.0, 1000)])
def test_a_battery_is_measured_at_the_bus(robot: Robot, volts: float, joules: float):
    """Judge: data sheet of the INA219: bits 3 to 15 count 4 mV."""
    robot.bench.drive("I2C:0x41:2", int(volts / 0.004) >> 5)
    robot.bench.drive("I2C:0x41:3", (int(volts / 0.004) << 3 | 0x02) & 0xFF)
    assert robot.step()["all.battery"] == pytest.approx(joules, abs=1)


def test_a_part_that_does_not_answer_says_nothing_until_it_is_back(robot: Robot):
    assert robot.step() == {}
    robot.plug_in()
    assert robot.step().keys() == {"acceleration.acceleration", "turning.angularVelocity", "north.north"}
    robot.bench.drive("I2C:0x68", 0)
    assert robot.step().keys() == {"north.north"}
    robot.bench.drive("I2C:0x68", 1)
    robot.bench.drive("I2C:0x68:0x6B", 0x40)  # it has lost its power meanwhile, and sleeps
    robot.step()  # which is found out now
    assert "acceleration.acceleration" in robot.step()
    assert robot.bench.show("I2C:0x68:0x6B")[:2] == ("register", 1)


def test_another_part_at_the_address_is_not_taken_for_the_sensor(robot: Robot):
    robot.plug_in()
    robot.bench.drive("I2C:0x68:0x75", 0x00)  # a clock
    assert robot.step().keys() == {"north.north"}


def test_a_lamp_shows_the_color_of_its_list(robot: Robot):
    assert robot.shine(4, 1, "D3", "D5", "D6") == [1, 0, 0]
    assert robot.shine(4, 2, "D3", "D5", "D6") == [0, 1, 0]
    assert robot.shine(4, 3, "D3", "D5", "D6") == [0, 0, 0]  # there is no such color
    assert robot.shine(4, 0, "D3", "D5", "D6") == [0, 0, 0]


@pytest.mark.parametrize(("value", "share"), [(0, 1.0), (255, 0.0), (51, 0.8), (300, 0.0), (-1, 1.0)])
def test_a_dimmed_lamp_that_shines_when_low(robot: Robot, value: int, share: float):
    assert robot.shine(5, value, "D9") == [pytest.approx(share, abs=0.005)]


CODE = """#include <stdio.h>
#include <webots/accelerometer.h>
#include <webots/robot.h>
int main(void) {
  wb_robot_init();
  WbDeviceTag tag = wb_robot_get_device("acceleration");
  wb_accelerometer_enable(tag, 16);
  for (int k = 0; k < 3; k++) {
    wb_robot_step(16);
    const double *values = wb_accelerometer_get_values(tag);
    printf("%.3f %.3f %.3f\\n", values[0], values[1], values[2]);
  }
  wb_robot_cleanup();
  return 0;
}
"""


@pytest.mark.parametrize("board", boards(*BUS))
def test_a_controller_on_the_board_reads_the_same(tmp_path: Path, board: str):
    require_board(board)
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "code.c").write_text(CODE)
    text = wired(board).replace("[link]", 'flavor = "standalone"\ncontroller = "code"\n[link]')
    (tmp_path / "hardware.toml").write_text(text)
    built = build(load_hardware(tmp_path / "hardware.toml", table()), tmp_path / "firmware")
    registers = {"0x75": 0x68, "0x3B:2": 4096, "0x3D:2": -2048, "0x3F:2": 1024}
    said = printed(built, 100, **{f"I2C:0x68:{key}": value for key, value in registers.items()})
    assert said.splitlines()[:3] == ["-2.452 -4.903 1.226"] * 3  # m/s^2, halved by the lookup table
