"""Stepper motors, a motor driver with two inputs, an orientation sensor and the compass of an MPU-9250.

What the parts do is modeled here from their data sheets: a stepper's rotor follows the field of its coils, a
stepper driver counts rising edges, sensors have registers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.firmware.conftest import boards, require_board
from tests.firmware.test_drivers import pin
from tests.firmware.test_imu import BUS
from tests.firmware.watched import Robot
from tests.firmware.wired import mapped, table_of, verify_standalone
from wbridge.hal.table import DeviceTable
from wbridge.wbfirmware.building.build import Built, build

MOTOR = {"minPosition": 0.0, "maxPosition": 0.0, "maxVelocity": 3.0, "controlPID": [10.0, 0.0, 0.0]}
DEVICES = {
    "arm": ("RotationalMotor", {**MOTOR, "type": "rotational"}),
    "lift": ("LinearMotor", {**MOTOR, "type": "linear"}),
    "wheel": ("RotationalMotor", {**MOTOR, "type": "rotational"}),
    "unit": ("InertialUnit", {"noise": 0.0}),
    "north": ("Compass", {"lookupTable": []}),
}
COILS = ("D2", "D4", "D7", "D8")
STEP, DIRECTION = "D12", "D13"
FORWARD, BACKWARD = "D5", "D6"
STEPS, PER_METER = 4096.0, 5000.0
MAP = f"""format = 1
world = "w.wbt"
robot = "all"
board = "BOARD"
[link]
table = false
[devices.arm]
driver = "stepper"
in1 = "{COILS[0]}"
in2 = "{COILS[1]}"
in3 = "{COILS[2]}"
in4 = "{COILS[3]}"
[devices.lift]
driver = "step_direction"
step = "{STEP}"
direction = "{DIRECTION}"
steps = {PER_METER}
inverted = true
[devices.wheel]
driver = "drv8833"
forward = "{FORWARD}"
backward = "{BACKWARD}"
full_speed = 4.0
[devices.unit]
driver = "bno055_inertial_unit"
sda = "SDA"
scl = "SCL"
[devices.north]
driver = "ak8963_compass"
sda = "SDA"
scl = "SCL"
offset = [10.0, 0.0, 0.0]
"""
NAMES = {"pico": {"D5": "GP16", "D6": "GP17"}}
"""Pins that differ from those of `tests.firmware.test_drivers`."""
BOARDS = ("host", "arduino-uno", "arduino-mega", "pico")
"""Boards whose emulators pass time exactly: QEMU does not show every step of a stepper."""


def place(board: str, name: str) -> str:
    """The pin of a board for a pin of the map."""
    return NAMES.get(board, {}).get(name) or pin(board, name)


def level(robot: Robot, name: str) -> float:
    """What a pin of the map shows."""
    return robot.bench.show(place(robot.board, name)).value


def table() -> DeviceTable:
    return table_of(DEVICES)


def wired(board: str) -> str:
    """The hardware map for a board."""
    text = MAP.replace("SDA", BUS[board][0]).replace("SCL", BUS[board][1]).replace("BOARD", board)
    for name in (*COILS, STEP, DIRECTION, FORWARD, BACKWARD):
        text = text.replace(f'"{name}"', f'"new {place(board, name)}"')
    return text.replace('"new ', '"')


@pytest.fixture(scope="module", params=boards(*BOARDS))
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    require_board(request.param)
    folder = tmp_path_factory.mktemp(request.param)
    return build(mapped(folder, wired(request.param), table()), folder / "firmware")


@pytest.fixture
def robot(program: Built) -> Iterator[Robot]:
    made = Robot(program, table())
    yield made
    made.bench.close()


class Rotor:
    """A permanent magnet between four coils: it turns to their field, by the shorter way."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.half_steps = 0.0
        self.angle: float | None = None
        """Of the field, in rad; None while no current flows."""
        robot.wire.look.append(self.look)

    def look(self) -> None:
        """Follow the coils. The board steps at most once a millisecond."""
        levels = [level(self.robot, one) for one in COILS]
        x, y = levels[0] - levels[2], levels[1] - levels[3]
        if x or y:
            angle = math.atan2(y, x)
            if self.angle is not None:
                turn = math.remainder(angle - self.angle, 2 * math.pi)
                assert abs(turn) < 0.3 * math.pi, "no step is lost"
                self.half_steps += turn / (math.pi / 4)
            self.angle = angle


def test_a_stepper_moves_to_positions_and_stays(robot: Robot):
    rotor = Rotor(robot)
    robot.set(1, "velocity", 1.0)  # rad/s: 652 half steps a second
    for position in (0.05, -0.02):
        robot.set(1, "position", position)
        for _ in range(6):
            robot.step()
            robot.pass_time(0.03)
        # the first current turns the rotor to the coils; it was at any angle before
        assert round(rotor.half_steps) == pytest.approx(position * STEPS / (2 * math.pi), abs=1.5)


def test_a_stepper_turns_at_its_velocity_both_ways(robot: Robot):
    for velocity in (1.2, -1.2):
        rotor = Rotor(robot)
        robot.set(1, "position", math.inf)
        robot.set(1, "velocity", velocity)
        robot.step()
        robot.pass_time(0.2)
        assert rotor.half_steps == pytest.approx(velocity * 0.2 * STEPS / (2 * math.pi), rel=0.05)


def test_a_bench_that_looks_at_coils_in_motion_counts_from_there(robot: Robot):
    robot.set(1, "position", math.inf)
    robot.set(1, "velocity", -1.0)
    robot.step()
    robot.pass_time(0.05)
    name = ":".join(("COILS", *(place(robot.board, one) for one in COILS)))
    assert robot.bench.show(name)[:2] == ("steps", 0)
    rotor = Rotor(robot)
    robot.pass_time(0.05)
    assert robot.bench.show(name).value == pytest.approx(rotor.half_steps, abs=1.5)
    assert rotor.half_steps < -25


def test_a_robot_that_stops_switches_the_coils_off(robot: Robot):
    robot.set(1, "position", math.inf)
    robot.set(1, "velocity", 1.0)
    robot.step()
    robot.pass_time(0.05)
    assert any(level(robot, one) for one in COILS)
    robot.pass_time(0.6)  # the watchdog
    assert not any(level(robot, one) for one in COILS)


def test_a_stepper_driver_counts_steps_by_direction(robot: Robot):
    """Judge: data sheet of the A4988: a step for each rising edge; the level gives its direction."""
    name = f"STEPPER:{place(robot.board, STEP)}:{place(robot.board, DIRECTION)}"
    robot.set(2, "velocity", 0.05)  # m/s: 250 steps a second
    assert robot.bench.show(name)[:2] == ("steps", 0)
    for position in (0.006, 0.002):
        robot.set(2, "position", position)
        for _ in range(8):
            robot.step()
            robot.pass_time(0.03)
        assert robot.bench.show(name).value == -position * PER_METER  # inverted


@pytest.mark.parametrize(("velocity", "shares"), [(2.0, (0.5, 0)), (-1.0, (0, 0.25)), (0.0, (0, 0))])
def test_two_inputs_have_the_duty_of_their_direction(
    robot: Robot, velocity: float, shares: tuple[float, float]
):
    """Judge: data sheet of the DRV8833: PWM at one input and the other low."""
    robot.set(3, "position", math.inf)
    robot.set(3, "velocity", velocity)
    robot.step()
    robot.pass_time(0.02)
    for name, share in zip((FORWARD, BACKWARD), shares, strict=True):
        assert level(robot, name) == pytest.approx(share, abs=0.006)


def test_this_motor_cannot_move_to_positions(robot: Robot):
    robot.set(3, "position", 1.0)
    robot.set(3, "velocity", 2.0)
    robot.step()
    robot.pass_time(0.02)
    assert level(robot, FORWARD) == level(robot, BACKWARD) == 0


def test_the_orientation_is_that_of_the_chip(robot: Robot):
    """Judge: data sheet of the BNO055: w, x, y, z from register 0x20, low bytes first, 1 is 2^14."""
    assert "unit.orientation" not in robot.step()
    robot.bench.drive("I2C:0x28:0", 0xA0)
    assert "unit.orientation" not in robot.step()
    robot.pass_time(0.02)
    assert robot.bench.show("I2C:0x28:0x3D")[:2] == ("register", 0x08), "acceleration and turning"
    assert "unit.orientation" not in robot.step(), "its numbers are 0 before it has computed any"
    half = round(16384 * math.sqrt(0.5))
    for register, number in enumerate((half, 0, 0, -half)):  # a quarter turn to the right
        robot.bench.drive(f"I2C:0x28:{0x20 + 2 * register}", number & 0xFF)
        robot.bench.drive(f"I2C:0x28:{0x21 + 2 * register}", number >> 8 & 0xFF)
    robot.step()
    assert robot.step()["unit.orientation"] == pytest.approx(
        (0, 0, -math.sqrt(0.5), math.sqrt(0.5)), abs=1e-4
    )
    robot.bench.drive("I2C:0x28:0x3D", 0)  # it has lost its power
    robot.step()
    assert robot.bench.show("I2C:0x28:0x3D")[:2] == ("register", 0x08)


def test_the_compass_of_an_mpu_9250_is_connected_and_read(robot: Robot):
    """Judge: data sheets of the MPU-9250 and AK8963."""
    robot.bench.drive("I2C:0x68:0x6B", 0x40)  # it sleeps
    robot.bench.drive("I2C:0x0C:0", 0x48)
    for register, number in enumerate((310, -400, 0)):
        robot.bench.drive(f"I2C:0x0C:{3 + 2 * register}", number & 0xFF)
        robot.bench.drive(f"I2C:0x0C:{4 + 2 * register}", number >> 8 & 0xFF)
    robot.step()
    found = robot.step()["north.north"]
    assert robot.bench.show("I2C:0x68:0x6B")[:2] == ("register", 0x01), "awake"
    assert robot.bench.show("I2C:0x68:0x37")[:2] == ("register", 0x02), "bypass"
    assert robot.bench.show("I2C:0x0C:0x0A")[:2] == ("register", 0x16), "16 bits, 100 Hz"
    # x forward of the MPU-9250 is y of the magnetometer, and z is reversed
    assert found == pytest.approx((-0.8, 0.6, 0.0), abs=1e-5)
    robot.bench.drive("I2C:0x0C:9", 0x18)  # the field is too strong
    robot.step()
    assert "north.north" not in robot.step()


WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 }
Robot {
  name "parts"
  children [ InertialUnit { name "unit" } Compass { name "north" }
    HingeJoint {
      device RotationalMotor { name "wheel" maxVelocity 3 }
      jointParameters HingeJointParameters { axis 0 0 1 }
      endPoint Solid { name "spoke" boundingObject Box { size 0.1 0.02 0.02 } physics Physics { } }
    } ]
  boundingObject Box { size 0.2 0.1 0.1 }
  physics Physics { }
  angularVelocity 0.3 0.5 1
}
"""
CODE = """#include <math.h>
#include <webots/compass.h>
#include <webots/inertial_unit.h>
#include <webots/motor.h>
#include <webots/robot.h>

int main(void) {
  wb_robot_init();
  WbDeviceTag wheel = wb_robot_get_device("wheel");
  wb_inertial_unit_enable(wb_robot_get_device("unit"), 16);
  wb_compass_enable(wb_robot_get_device("north"), 16);
  wb_motor_set_position(wheel, INFINITY);
  for (int k = 0; wb_robot_step(16) != -1; k++) wb_motor_set_velocity(wheel, (k % 61 - 30) * 0.1);
  return 0;
}
"""


@pytest.mark.boards
def test_verify_compares_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    require_board("arduino-uno")
    head = 'format = 1\nworld = "w.wbt"\nrobot = "parts"\nboard = "arduino-uno"\nflavor = "standalone"\n'
    found = MAP[MAP.index("[devices.wheel]") :].replace("SDA", "A4").replace("SCL", "A5")
    text = f'{head}controller = "code.c"\n{found}'
    assert verify_standalone(tmp_path, WORLD, CODE, text) == 0, capsys.readouterr()
