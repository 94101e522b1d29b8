"""Parts that measure distances, forces and the ground, with models made from their data sheets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.firmware.conftest import boards, require_board
from tests.firmware.test_drivers import MEASURING, pin
from tests.firmware.test_imu import BUS
from tests.firmware.watched import Robot
from tests.firmware.wired import mapped, table_of, verify_standalone
from wbridge.hal.table import DeviceTable
from wbridge.wbfirmware.building.build import Built, build

LOOKUP = [[0.0, 1000.0, 0.0], [2.0, 0.0, 0.0]]
DEVICES = {
    "eye": ("DistanceSensor", {"lookupTable": LOOKUP}),
    "weight": ("TouchSensor", {"type": "force", "lookupTable": []}),
    "ground": ("DistanceSensor", {"lookupTable": LOOKUP}),
}
MAP = """format = 1
world = "w.wbt"
robot = "all"
board = "BOARD"
[link]
table = false
[devices.eye]
driver = "vl53l0x_distance"
sda = "SDA"
scl = "SCL"
range = 1.2
[devices.weight]
driver = "hx711_force"
data = "D11"
clock = "D12"
gain = 64
zero = 1000.0
scale = 200.0
[devices.ground]
driver = "qtr_rc"
pin = "D10"
longest = 2000.0
low = 0.0
high = 1000.0
"""
PINS = ("D11", "D12", "D10")
BOARDS = ("host", "arduino-uno", "arduino-mega", "pico")
"""Boards whose emulators have these parts."""
STEP = 32


def table() -> DeviceTable:
    return table_of(DEVICES)


def wired(board: str) -> str:
    """The hardware map for a board."""
    text = MAP.replace("SDA", BUS[board][0]).replace("SCL", BUS[board][1]).replace("BOARD", board)
    for name in PINS:
        text = text.replace(f'= "{name}"', f'= "{pin(board, name)}"')
    return text


def compiled(board: str, folder: Path) -> Built:
    """The firmware of a board."""
    require_board(board)
    hardware = mapped(folder, wired(board), table())
    assert {one.driver.name for one in hardware.wirings} == MEASURING
    return build(hardware, folder / "firmware")


@pytest.mark.boards
@pytest.mark.parametrize("board", sorted(set(BUS) - set(BOARDS)))
def test_they_compile_for_all_boards(tmp_path: Path, board: str):
    assert compiled(board, tmp_path).size.flash > 0


@pytest.fixture(scope="module", params=boards(*BOARDS))
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    return compiled(request.param, tmp_path_factory.mktemp(request.param))


@pytest.fixture
def robot(program: Built) -> Iterator[Robot]:
    made = Robot(program, table())
    yield made
    made.bench.close()


class TimeOfFlight:
    """The state machine of a VL53L0X, as far as its API shows it: access to its calibration, single and
    continuous measurements, which need a value that is lost in between."""

    PERIOD = 33
    STOP = 0x3C

    def __init__(self, robot: Robot) -> None:
        self.bench = robot.bench
        self.mm, self.status = 500, 11
        self.left = 0.0
        """ms until the present measurement ends."""
        self.measured = 0
        self.power_up()
        robot.wire.look.append(self.look)

    def power_up(self) -> None:
        """Registers that differ from 0."""
        for register in range(0x100):
            self.put(register, 0)
        self.put(0xC0, 0xEE)
        self.put(0x191, self.STOP)
        self.put(0x783, 0x01)
        self.put(0x792, 0x80 | 5)
        for k, byte in enumerate((0xFF, 0xFF, 0xEE, 0xFF, 0xFF, 0x0F)):
            self.put(0xB0 + k, byte)

    def put(self, register: int, value: int) -> None:
        self.bench.drive(f"I2C:0x29:{register}", value)

    def get(self, register: int) -> int:
        return int(self.bench.show(f"I2C:0x29:{register}").value)

    def look(self) -> None:
        if self.get(0x783) == 0 and self.get(0x794) == 0x6B:
            self.put(0x783, 0x10)
            self.put(0x191, 0)
        if self.get(0x0B) == 1:
            self.put(0x0B, 0)
            self.put(0x13, 0)
        mode = self.get(0x00)
        if mode & 0x03 and self.get(0x13) == 0:
            self.left -= 0.5
            if self.left <= 0:
                self.end(mode)

    def end(self, mode: int) -> None:
        """End a measurement."""
        is_continuous = mode == 2 and self.get(0x191) == self.STOP
        if mode & 1 or is_continuous:
            self.put(0x13, 0x44)
        if mode & 1:
            self.put(0x00, 0)
            return
        self.put(0x14, self.status << 3 | 1)
        self.put(0x1E, self.mm >> 8)
        self.put(0x1F, self.mm & 0xFF)
        self.measured += 1
        self.left = self.PERIOD


def run(robot: Robot, steps: int) -> dict[str, float]:
    """Let a controller make steps; returns its last readings."""
    found: dict[str, float] = {}
    for _ in range(steps):
        found = robot.step()  # type: ignore[assignment]
        robot.pass_time(STEP / 1000)
    return found


def test_a_time_of_flight_sensor_is_set_up_and_read(robot: Robot):
    """Judge: data sheet and API of the VL53L0X; the value is that of the lookup table."""
    assert "eye.value" not in robot.step(), "no part"
    part = TimeOfFlight(robot)
    readings = [run(robot, 1) for _ in range(25)]
    assert not any("eye.value" in one for one in readings[:3]), "no value until the first measurement"
    assert readings[-1]["eye.value"] == pytest.approx(750, abs=0.01)  # 0.5 m
    # 5 good diodes from the twelfth on: 12 to 15 in the second byte, the first good one in the third
    assert [part.get(0xB0 + k) for k in range(6)] == [0, 0xF0, 0x02, 0, 0, 0]
    assert part.get(0x01) == 0xE8
    assert part.measured > 5, "each measurement was taken and confirmed"
    part.mm = 80
    assert run(robot, 4)["eye.value"] == pytest.approx(960, abs=0.01)


def test_a_time_of_flight_sensor_sees_nothing_or_loses_its_power(robot: Robot):
    part = TimeOfFlight(robot)
    run(robot, 20)
    part.status, part.mm = 4, 8190
    assert run(robot, 4)["eye.value"] == pytest.approx(400, abs=0.01)  # the range of 1.2 m
    part.power_up()
    part.status, part.mm = 11, 1000
    assert "eye.value" not in [run(robot, 1) for _ in range(19)][-1], "no measurement for 0.5 s"
    assert run(robot, 20)["eye.value"] == pytest.approx(500, abs=0.01)


@pytest.mark.parametrize(("newtons", "counts"), [(0.0, 1000), (12.5, 3500), (-40.0, -7000)])
def test_a_load_cell_is_shifted_in(robot: Robot, newtons: float, counts: int):
    """Judge: data sheet of the HX711: 27 pulses select a gain of 64, half of that after power-up."""
    assert "weight.value" not in run(robot, 2), "no part"
    name = f"HX711:{pin(robot.board, 'D11')}:{pin(robot.board, 'D12')}"
    robot.bench.drive(name, 2 * counts)
    assert run(robot, 4)["weight.value"] == pytest.approx(newtons)
    assert robot.bench.show(name)[:2] == ("pulses", 27)


@pytest.mark.parametrize("microseconds", [150, 1300, 1900, 5000])
def test_a_line_sensor_times_its_capacitor(robot: Robot, microseconds: int):
    """Judge: the value is the share of the longest time."""
    robot.bench.drive(f"RC:{pin(robot.board, 'D10')}", microseconds)
    expected = min(microseconds / 2, 1000)
    assert run(robot, 3)["ground.value"] == pytest.approx(expected, abs=15)


WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 gravity 0 }
Robot {
  name "all"
  angularVelocity 0 0 0.4
  children [
    DistanceSensor { name "eye" lookupTable [ 0 1000 0, 2 0 0 ] numberOfRays 1 }
    DistanceSensor { name "ground" lookupTable [ 0 0 0, 2 1000 0 ] numberOfRays 1 }
    TouchSensor { name "weight" type "force" boundingObject Box { size 0.1 0.1 0.1 } translation 0 0 0.2 }
  ]
  boundingObject Box { size 0.2 0.1 0.1 }
  physics Physics { }
}
Solid { name "slope" translation 0.8 0 0 rotation 0 0 1 0.6 boundingObject Box { size 0.1 3 1 } }
"""
CODE = """#include <webots/distance_sensor.h>
#include <webots/robot.h>
#include <webots/touch_sensor.h>
int main(void) {
  wb_robot_init();
  WbDeviceTag eye = wb_robot_get_device("eye");
  WbDeviceTag ground = wb_robot_get_device("ground"), weight = wb_robot_get_device("weight");
  wb_distance_sensor_enable(eye, 16);
  wb_distance_sensor_enable(ground, 16);
  wb_touch_sensor_enable(weight, 16);
  while (wb_robot_step(16) != -1) wb_distance_sensor_get_value(eye);
  return 0;
}
"""


@pytest.mark.boards
@pytest.mark.parametrize("board", ["host", "arduino-uno", "pico"])
def test_verify_compares_them(board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    require_board(board)
    text = wired(board).replace("[link]", 'flavor = "standalone"\ncontroller = "code.c"\n[link]')
    assert verify_standalone(tmp_path, WORLD, CODE, text) == 0, capsys.readouterr()
