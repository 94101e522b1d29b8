"""Bus servos on boards: what a robot with an arm and wheels tells its servos, and reads from them.

Judges: the emulated servos, which speak the bytes that the makers' libraries speak (test_servo_parts.py), and
the control tables of STS3215 and XL430 for units: 4096 counts per turn, counts per second, 0.229 turns per
minute.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.firmware.conftest import require_board
from tests.firmware.watched import Robot
from tests.firmware.wired import mapped, table_of
from wbridge.main import main
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbfirmware.problems import HardwareError
from wbridge.wbverify.serial_parts.bus_servo import Servo, ServoLine
from wbridge.wbverify.serial_parts.dynamixel import REGISTER_BYTES as DYNAMIXEL_BYTES
from wbridge.wbverify.serial_parts.dynamixel import DynamixelLine
from wbridge.wbverify.serial_parts.sts import REGISTER_BYTES as STS_BYTES
from wbridge.wbverify.serial_parts.sts import StsLine

PER_RAD = 4096 / (2 * math.pi)
UNIT = 0.229 * 4096 / 60
MOTOR = {
    "minPosition": 0.0,
    "maxPosition": 0.0,
    "maxVelocity": 5.0,
    "maxTorque": 2.0,
    "controlPID": [10.0, 0.0, 0.0],
    "type": "rotational",
}
DEVICES = {
    "shoulder": ("RotationalMotor", MOTOR),
    "elbow": ("RotationalMotor", MOTOR),
    "wheel": ("RotationalMotor", MOTOR),
    "angle": ("PositionSensor", {"type": "rotational", "motor": 2}),
}
PINS = {"host": ("D30", "D31"), "arduino-mega": ("D19", "D18")}
SERVOS = {
    "shoulder": (1, ""),
    "elbow": (7, "inverted = true\nzero = 1000.0\n"),
    "wheel": (3, "wheel = true\n"),
}


def hardware_text(kind: str, board: str) -> str:
    rx, tx = PINS[board]
    text = f'format = 1\nworld = "w.wbt"\nrobot = "all"\nboard = "{board}"\n[link]\ntable = false\n'
    for name, (number, more) in SERVOS.items():
        text += f'[devices.{name}]\ndriver = "{kind}_servo"\nrx = "{rx}"\ntx = "{tx}"\nid = {number}\n'
        text += f"baud = 1000000\n{more}"
    return text + f'[devices.angle]\ndriver = "{kind}_servo_position"\nmotor = "elbow"\n'


class Arm:
    """The servos at the board's line, and its controller."""

    def __init__(self, robot: Robot, line: ServoLine, size: int) -> None:
        self.robot, self.line = robot, line
        line.servos.update({number: Servo(size) for number, _ in SERVOS.values()})
        self.is_quiet = self.echoes = False
        self.heard = b""
        robot.wire.look.append(self._exchange)

    def _exchange(self) -> None:
        data = self.robot.bench.taken()
        self.heard += data
        answer = b"" if self.is_quiet else self.line.exchange(data, 0)
        if (data if self.echoes else b"") + answer:
            self.robot.bench.give((data if self.echoes else b"") + answer)

    def step(self) -> dict[str, tuple[float, ...]]:
        """A step, and its time."""
        values = self.robot.step()
        self.robot.pass_time(0.03)
        return values

    def servo(self, name: str) -> Servo:
        return self.line.servos[SERVOS[name][0]]


@pytest.fixture(scope="module", params=["sts host", "dynamixel host", "sts arduino-mega"])
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Built]:
    """A kind of servos, and the firmware for them."""
    kind, board = request.param.split()
    require_board(board)
    folder = tmp_path_factory.mktemp(kind)
    hardware = mapped(folder, hardware_text(kind, board), table_of(DEVICES))
    return kind, build(hardware, folder / "firmware")


@pytest.fixture
def arm(program: tuple[str, Built]) -> Iterator[Arm]:
    kind, built = program
    robot = Robot(built, table_of(DEVICES))
    made = Arm(robot, *((StsLine(), STS_BYTES) if kind == "sts" else (DynamixelLine(), DYNAMIXEL_BYTES)))
    with robot.bench:
        yield made


def goal(arm: Arm, name: str) -> tuple[int, float]:
    """The goal (counts) and the speed (counts per second) of a servo."""
    servo = arm.servo(name)
    if isinstance(arm.line, StsLine):
        return servo.get(42, 2), servo.get(46, 2)
    return servo.get(116, 4), servo.get(112, 4) * UNIT


def is_on(arm: Arm, name: str) -> bool:
    return arm.servo(name).get(40 if isinstance(arm.line, StsLine) else 64, 1) == 1


def set_present(arm: Arm, name: str, counts: int, load: int = 0) -> None:
    servo = arm.servo(name)
    if isinstance(arm.line, StsLine):
        servo.set(56, 2, counts)
        servo.set(60, 2, abs(load) | (0x400 if load < 0 else 0))
    else:
        servo.set(132, 4, counts)
        servo.set(126, 2, load)


def test_a_joint_moves_to_its_position_at_its_velocity(arm: Arm):
    robot = arm.robot
    arm.step()
    assert not is_on(arm, "shoulder"), "nothing moves before the first command"
    robot.set(1, "velocity", 1.5)
    robot.set(1, "position", 0.5)
    robot.set(2, "position", 0.5)
    arm.step()
    assert is_on(arm, "shoulder") and is_on(arm, "elbow") and not is_on(arm, "wheel")
    counts, speed = goal(arm, "shoulder")
    assert counts == round(2048 + 0.5 * PER_RAD)
    assert speed == pytest.approx(1.5 * PER_RAD, abs=UNIT / 2 + 1)
    counts, speed = goal(arm, "elbow")
    assert counts == round(1000 - 0.5 * PER_RAD), "it is inverted"
    assert speed == pytest.approx(5 * PER_RAD, abs=UNIT / 2 + 1)
    assert arm.line.wrong == 0


def test_a_wheel_has_a_velocity_both_ways(arm: Arm):
    robot = arm.robot
    robot.set(3, "position", math.inf)
    for velocity in (2.0, -3.0, 0.0):
        robot.set(3, "velocity", velocity)
        arm.step()
        servo = arm.servo("wheel")
        if isinstance(arm.line, StsLine):
            number = servo.get(46, 2)
            found = -(number & 0x7FFF) if number & 0x8000 else float(number)
        else:
            number = servo.get(104, 4)
            found = UNIT * (number - (1 << 32) if number >> 31 else number)
        assert found == pytest.approx(velocity * PER_RAD, abs=UNIT / 2 + 1)
    assert is_on(arm, "wheel")


def test_position_and_torque_are_those_that_the_servo_measures(arm: Arm):
    set_present(arm, "elbow", 1000 + 512, load=-250)
    arm.step()
    values = arm.step()
    assert values["angle.position"] == pytest.approx(-512 / PER_RAD)
    assert values["elbow.torqueFeedback"] == pytest.approx(0.25 * 2.0), "both signs are inverted"


def test_the_board_takes_its_own_packets_for_no_answer(arm: Arm):
    """On a line with one wire, it hears all that it sends."""
    arm.echoes = True
    set_present(arm, "elbow", 1100)
    arm.robot.set(1, "position", 0.25)
    arm.step()
    assert arm.step()["angle.position"] == pytest.approx(-100 / PER_RAD)
    assert goal(arm, "shoulder")[0] == round(2048 + 0.25 * PER_RAD)


def test_a_servo_that_is_lost_has_no_position_and_is_switched_on_again(arm: Arm):
    robot = arm.robot
    robot.set(2, "position", 0.5)
    assert "angle.position" in (arm.step(), arm.step())[1]
    arm.is_quiet = True
    for _ in range(40):
        values = arm.step()
    assert "angle.position" not in values
    for one in arm.line.servos.values():
        one.registers[:] = bytes(len(one.registers))  # it had no power
    arm.is_quiet = False
    for _ in range(40):
        values = arm.step()
    assert "angle.position" in values
    assert is_on(arm, "elbow") and goal(arm, "elbow")[0] == round(1000 - 0.5 * PER_RAD)


def test_a_robot_that_stops_holds_its_joints_and_stops_its_wheels(arm: Arm):
    robot = arm.robot
    set_present(arm, "shoulder", 2100)
    robot.set(1, "position", 1.0)
    robot.set(3, "position", math.inf)
    robot.set(3, "velocity", 2.0)
    arm.step()
    arm.step()
    robot.pass_time(1.0)  # the watchdog of the link
    assert goal(arm, "shoulder")[0] == 2100
    assert arm.servo("wheel").get(*((46, 2) if isinstance(arm.line, StsLine) else (104, 4))) == 0


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("id = 7", "id = 300", "id: found 300"),
        ("baud = 1000000\ninverted", "baud = 500000\ninverted", "use the same value for both"),
        ('motor = "elbow"', 'motor = "shoulder"', "belongs to another joint"),
        (
            'driver = "sts_servo"\nrx = "D30"\ntx = "D31"\nid = 3',
            'driver = "dynamixel_servo"\nrx = "D30"\ntx = "D31"\nid = 3',
            "is already used by",
        ),
        ("id = 7", "id = 1", "is already that of"),
    ],
)
def test_a_map_that_cannot_work_is_refused(tmp_path: Path, old: str, new: str, why: str):
    text = hardware_text("sts", "host")
    assert old in text
    with pytest.raises(HardwareError, match=why):
        mapped(tmp_path, text.replace(old, new), table_of(DEVICES))


WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 gravity 0 }
Robot {
  name "all"
  children [
    HingeJoint {
      jointParameters HingeJointParameters { axis 0 0 1 }
      device [
        RotationalMotor { name "elbow" maxVelocity 5 maxTorque 2 }
        PositionSensor { name "angle" }
      ]
      endPoint Solid { name "arm" boundingObject Sphere { radius 0.1 } physics Physics { } }
    }
    HingeJoint {
      jointParameters HingeJointParameters { axis 0 0 1 }
      device [ RotationalMotor { name "wheel" maxVelocity 5 } ]
      endPoint Solid {
        translation 0.5 0 0
        name "rim"
        boundingObject Sphere { radius 0.1 }
        physics Physics { }
      }
    }
  ]
  boundingObject Box { size 0.1 0.1 0.1 }
  physics Physics { }
}
"""
CODE = {
    ".c": """#include <math.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>
#include <webots/robot.h>

int main(void) {
  wb_robot_init();
  const WbDeviceTag elbow = wb_robot_get_device("elbow"), wheel = wb_robot_get_device("wheel");
  const WbDeviceTag angle = wb_robot_get_device("angle");
  wb_position_sensor_enable(angle, 16);
  wb_motor_set_position(wheel, INFINITY);
  wb_motor_set_velocity(wheel, 0);
  wb_motor_set_velocity(elbow, 2);
  double target = 0.75;
  while (wb_robot_step(16) != -1) {
    const double now = wb_position_sensor_get_value(angle);
    if (now > 0.7) target = -0.5;
    if (now < -0.45) target = 0.75;
    wb_motor_set_position(elbow, target);
    if (now == now) wb_motor_set_velocity(wheel, 3 * now);
  }
}
""",
    ".cpp": """#include <webots/Motor.hpp>
#include <webots/PositionSensor.hpp>
#include <webots/Robot.hpp>

int main() {
  webots::Robot robot;
  webots::Motor *elbow = robot.getMotor("elbow"), *wheel = robot.getMotor("wheel");
  webots::PositionSensor *angle = robot.getPositionSensor("angle");
  angle->enable(16);
  wheel->setPosition(1.0 / 0.0);
  wheel->setVelocity(0);
  while (robot.step(16) != -1) {
    elbow->setPosition(0.6);
    const double now = angle->getValue();
    if (now == now) wheel->setVelocity(3 * now);
  }
}
""",
    ".py": """from controller import Robot

robot = Robot()
elbow, wheel, angle = (robot.getDevice(one) for one in ("elbow", "wheel", "angle"))
angle.enable(16)
wheel.setPosition(float("inf"))
wheel.setVelocity(0)
elbow.setVelocity(2)
target = 0.75
while robot.step(16) != -1:
    now = angle.getValue()
    if now > 0.7:
        target = -0.5
    if now < -0.45:
        target = 0.75
    elbow.setPosition(target)
    if now == now:
        wheel.setVelocity(3 * now)
""",
}
VERIFIED = {**PINS, "host-python": ("GP1", "GP0"), "pico-micropython": ("GP1", "GP0")}


@pytest.mark.parametrize(
    ("kind", "board", "suffix"),
    [
        ("sts", "host", ".c"),
        pytest.param("dynamixel", "host", ".cpp", marks=pytest.mark.slow),
        pytest.param("sts", "host-python", ".py", marks=pytest.mark.slow),
        ("dynamixel", "host-python", ".py"),
        pytest.param("dynamixel", "arduino-mega", ".c", marks=pytest.mark.boards),
        pytest.param("sts", "arduino-mega", ".cpp", marks=pytest.mark.boards),
        pytest.param("sts", "pico-micropython", ".py", marks=pytest.mark.boards),
        pytest.param("dynamixel", "pico-micropython", ".py", marks=pytest.mark.boards),
    ],
)
def test_the_board_drives_servos_as_the_desktop_does(kind: str, board: str, suffix: str, tmp_path: Path):
    rx, tx = VERIFIED[board]
    text = f'format = 1\nworld = "w.wbt"\nrobot = "all"\nboard = "{board}"\nflavor = "standalone"\n'
    text += f'controller = "code{suffix}"\n'
    for name, more in (
        ("elbow", "id = 7\ninverted = true\nzero = 1000.0"),
        ("wheel", "id = 3\nwheel = true"),
    ):
        text += (
            f'[devices.{name}]\ndriver = "{kind}_servo"\nrx = "{rx}"\ntx = "{tx}"\nbaud = 1000000\n{more}\n'
        )
    text += f'[devices.angle]\ndriver = "{kind}_servo_position"\nmotor = "elbow"\n'
    (tmp_path / "w.wbt").write_text(WORLD)
    (tmp_path / f"code{suffix}").write_text(CODE[suffix])
    (tmp_path / "hardware.toml").write_text(text)
    words = ["--steps", "100", "--flavor", "standalone"]
    assert main(["-q", "firmware", "verify", str(tmp_path / "hardware.toml"), *words]) == 0
