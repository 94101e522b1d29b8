"""Frequencies of PWM that the hardware map sets.

Judge: formulas of the data sheets: an AVR's 16-bit timer with a top of ICR1 makes F / (N (top + 1)), one with
8 bits F / (256 N) (ATmega328P, 16.9.3 and 18.7.3); a slice of the RP2040 F / (divider (TOP + 1)) (4.5.2).
"""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from tests.firmware.conftest import require_board
from tests.firmware.watched import Robot
from tests.firmware.wired import mapped, table_of
from wbridge.main import main
from wbridge.wbfirmware.building.build import build
from wbridge.wbfirmware.problems import HardwareError

MOTOR = {"minPosition": 0.0, "maxPosition": 0.0, "maxVelocity": 3.0, "controlPID": [10.0, 0.0, 0.0]}
DEVICES = {name: ("RotationalMotor", {**MOTOR, "type": "rotational"}) for name in ("left", "right")}
PINS = {
    "host": ("D9", "D3", "D2", "D4", "D7", "D8"),
    "arduino-uno": ("D9", "D3", "D2", "D4", "D7", "D8"),
    "arduino-mega": ("D5", "D9", "D22", "D23", "D24", "D25"),
    "arduino-leonardo": ("D9", "D5", "D2", "D4", "D7", "D8"),
    "pico": ("GP2", "GP4", "GP6", "GP7", "GP8", "GP9"),
    "host-python": ("GP2", "GP4", "GP6", "GP7", "GP8", "GP9"),
    "pico-micropython": ("GP2", "GP4", "GP6", "GP7", "GP8", "GP9"),
    "bluepill": ("PA6", "PB6", "PB12", "PB13", "PB14", "PB15"),
    "microbit-v2": ("P8", "P13", "P0", "P1", "P2", "P4"),
    "esp32-c3": ("IO0", "IO1", "IO3", "IO4", "IO20", "IO21"),
    "pyboard": ("X1", "X7", "Y5", "Y6", "Y9", "Y10"),
    "nucleo-f411re-micropython": ("PA0", "PB6", "PC0", "PC1", "PC2", "PC3"),
    "microbit": ("P8", "P13", "P0", "P1", "P2", "P4"),
    "esp32": ("IO4", "IO13", "IO14", "IO18", "IO19", "IO21"),
    "esp8266": ("D1", "D2", "D5", "D6", "D7", "D0"),
}


def hardware_text(board: str, left: int, right: int) -> str:
    pins = PINS[board]
    text = f'format = 1\nworld = "w.wbt"\nrobot = "all"\nboard = "{board}"\n'
    for k, (name, hertz) in enumerate((("left", left), ("right", right))):
        text += f'[devices.{name}]\ndriver = "hbridge"\npwm = "{pins[k]}"\nforward = "{pins[2 + 2 * k]}"\n'
        text += f'backward = "{pins[3 + 2 * k]}"\nfull_speed = 4.0\nfrequency = {hertz}\n'
    return text


@pytest.mark.parametrize(
    ("board", "right"),
    [
        pytest.param("host", 490, marks=pytest.mark.slow),
        ("arduino-uno", 1953),
        pytest.param("arduino-mega", 7812, marks=pytest.mark.boards),
        pytest.param("arduino-leonardo", 300, marks=pytest.mark.boards),
        pytest.param("pico", 490, marks=pytest.mark.boards),
    ],
)
def test_pins_have_their_frequencies_and_duties(board: str, right: int, tmp_path: Path):
    require_board(board)
    table = table_of(DEVICES)
    built = build(mapped(tmp_path, hardware_text(board, 20_000, right), table), tmp_path / "firmware")
    robot = Robot(built, table)
    with robot.bench:
        for velocity in (1.0, -2.5):
            for tag in (1, 2):
                robot.set(tag, "position", math.inf)
                robot.set(tag, "velocity", velocity)
            robot.step()
            robot.pass_time(0.01)
            for pin, hertz in zip(PINS[board], (20_000, right), strict=False):
                shown = robot.bench.show(pin)
                assert shown.use == "pwm" and shown.value == pytest.approx(abs(velocity) / 4, abs=0.006)
                assert shown.hertz == pytest.approx(hertz, rel=0.005)


@pytest.mark.parametrize(
    ("board", "left", "right", "why"),
    [
        ("arduino-uno", 20_000, 20_000, "D3 can have 62500, 7812.5, .* 61.0352 Hz; the nearest is 7812.5"),
        ("arduino-uno", 70_000, 0, "D9 can have 100 to 62500 Hz; the nearest is 62500"),
        ("microbit", 5000, 0, "P8 can have 20 to 2000 Hz; the nearest is 2000"),
        ("microbit", 2000, 20, ""),
        ("microbit-v2", 70_000, 0, "P8 can have 31 to 62500 Hz; the nearest is 62500"),
        ("esp32-c3", 20_000, 0, 'shares all PWM of the board with "left", which has 20000 Hz'),
        ("esp32-c3", 100, 100, "IO0 can have 153 to 156250 Hz; the nearest is 153"),
        ("pyboard", 50, 0, "X1 can have 100 to 90000 Hz; the nearest is 100"),
        ("bluepill", 5, 0, "PA6 can have 10 to 90000 Hz; the nearest is 10"),
        ("esp32", 20_000, 5000, 'shares all PWM of the board with "left", which has 20000 Hz'),
        ("esp8266", 20_000, 0, 'shares all PWM of the board with "left", which has 20000 Hz'),
        ("host", -1, 0, "expected a whole number of Hz"),
        ("host", 20_000, 300, ""),
        ("esp32", 20_000, 20_000, ""),
    ],
)
def test_what_no_timer_makes_is_refused(board: str, left: int, right: int, why: str, tmp_path: Path):
    text = hardware_text(board, left, right)
    if not why:
        mapped(tmp_path, text, table_of(DEVICES))
        return
    with pytest.raises(HardwareError, match=why):
        mapped(tmp_path, text, table_of(DEVICES))


def test_two_outputs_of_a_timer_have_one_frequency(tmp_path: Path):
    text = hardware_text("arduino-uno", 20_000, 300).replace('pwm = "D3"', 'pwm = "D10"')
    with pytest.raises(HardwareError, match='D10 shares timer 1 with "left", which has 20000 Hz'):
        mapped(tmp_path, text, table_of(DEVICES))


WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 gravity 0 }
Robot {
  name "all"
  children [
    HingeJoint {
      jointParameters HingeJointParameters { axis 0 0 1 }
      device RotationalMotor { name "left" maxVelocity 3 }
      endPoint Solid { name "a" boundingObject Box { size 0.1 0.02 0.02 } physics Physics { } }
    }
    HingeJoint {
      jointParameters HingeJointParameters { axis 0 0 1 anchor 0 1 0 }
      device RotationalMotor { name "right" maxVelocity 3 }
      endPoint Solid {
        translation 0 1 0
        name "b"
        boundingObject Box { size 0.1 0.02 0.02 }
        physics Physics { }
      }
    }
  ]
  boundingObject Box { size 0.2 0.1 0.1 }
  physics Physics { }
}
"""
CODE = {
    ".c": """#include <math.h>
#include <webots/motor.h>
#include <webots/robot.h>

int main(void) {
  wb_robot_init();
  const WbDeviceTag left = wb_robot_get_device("left"), right = wb_robot_get_device("right");
  wb_motor_set_position(left, INFINITY);
  wb_motor_set_position(right, INFINITY);
  for (int k = 0; wb_robot_step(16) != -1; k++) {
    wb_motor_set_velocity(left, -3 + 0.07 * (k % 90));
    wb_motor_set_velocity(right, 3 - 0.05 * (k % 90));
  }
}
""",
    ".py": """from controller import Robot

robot = Robot()
motors = [robot.getDevice(name) for name in ("left", "right")]
for one in motors:
    one.setPosition(float("inf"))
k = 0
while robot.step(16) != -1:
    motors[0].setVelocity(-3 + 0.07 * (k % 90))
    motors[1].setVelocity(3 - 0.05 * (k % 90))
    k += 1
""",
}


@pytest.mark.parametrize(
    ("board", "suffix", "fault"),
    [
        ("arduino-uno", ".c", False),
        ("host-python", ".py", False),
        ("host-python", ".py", True),
        pytest.param("pico", ".c", False, marks=pytest.mark.boards),
        pytest.param("pico-micropython", ".py", False, marks=pytest.mark.boards),
        pytest.param("pyboard", ".py", False, marks=pytest.mark.boards),
        pytest.param("nucleo-f411re-micropython", ".py", False, marks=pytest.mark.boards),
    ],
)
def test_verify_compares_duties_and_frequencies(board: str, suffix: str, fault: bool, tmp_path: Path):
    if suffix == ".c":
        require_board(board)
    (tmp_path / "w.wbt").write_text(WORLD)
    (tmp_path / f"code{suffix}").write_text(CODE[suffix])
    head = f'format = 1\nflavor = "standalone"\ncontroller = "code{suffix}"\n'
    place = tmp_path / "hardware.toml"
    place.write_text(hardware_text(board, 20_000, 1953).replace("format = 1\n", head))
    words = ["--steps", "60", "--flavor", "standalone"]
    if fault:
        assert main(["-q", "firmware", "build", str(place)]) == 0
        table = tmp_path / "firmware" / "wb" / "table.py"
        table.write_text(re.sub(r"'frequency': 20000", "'frequency': 19000", table.read_text()))
        words += ["--firmware", str(tmp_path / "firmware" / "main.py")]
    assert main(["-q", "firmware", "verify", str(place), *words]) == int(fault)
