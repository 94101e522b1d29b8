"""Controllers in Python on boards: what the board's pins do is compared with the desktop."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from tests.conftest import CHECKOUT
from tests.firmware.conftest import WORLD, two_wheels
from wbridge.main import main
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.emulators.micropython import VM
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.template_folders import all_board_folders

SAMPLE = CHECKOUT / "controllers" / "two_wheels_avoider_python"
HOST = "host-python"
STEPS = 120
PYTHON_BOARDS = [name for name in all_board_folders() if load_board(name).python is not None]
MACHINE_WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 gravity 0 }
Robot {
  name "machine"
  angularVelocity 0.3 0.5 1
  children [
    HingeJoint {
      jointParameters HingeJointParameters { axis 0 0 1 }
      device [
        RotationalMotor { name "wheel motor" maxVelocity 6 controlPID 6 0 0 }
        PositionSensor { name "wheel sensor" }
      ]
      endPoint Solid { name "wheel" boundingObject Sphere { radius 0.1 } physics Physics { } }
    }
    HingeJoint {
      jointParameters HingeJointParameters { axis 0 0 1 }
      device [ RotationalMotor { name "arm motor" maxVelocity 1.5 minPosition -1 maxPosition 1 } ]
      endPoint Solid {
        translation 0.3 0 0
        name "arm"
        children [ DistanceSensor { name "eye" lookupTable [ 0 0 0, 3 3000 0 ] numberOfRays 1 } ]
        boundingObject Sphere { radius 0.05 }
        physics Physics { }
      }
    }
    Accelerometer { name "felt" }
    Gyro { name "turned" }
    Compass { name "north" }
    Compass { name "south" }
    TouchSensor { name "bump" boundingObject Box { size 0.02 0.02 0.02 } translation 0 0 0.2 }
    LED { name "dimmed" gradual TRUE color [ 1 0 0 ] }
    LED { name "colored" color [ 1 0 0, 0 0.5 1 ] }
  ]
  boundingObject Box { size 0.2 0.1 0.1 }
  physics Physics { }
  battery [ 500, 1000 ]
  cpuConsumption 90
}
Solid { name "slope" translation 1.5 0 0 rotation 0 0 1 0.6 boundingObject Box { size 0.1 8 1 } }
"""
MACHINE_CODE = """import math
from controller import Robot, Motor, Gyro

robot = Robot()
wheel, arm = Motor("wheel motor"), robot.getDevice("arm motor")
eye, felt, north, bump = (robot.getDevice(one) for one in ("eye", "felt", "north", "bump"))
south = robot.getDevice("south")
robot.batterySensorEnable(32)
turned = Gyro("turned")
dimmed, colored = robot.getDevice("dimmed"), robot.getDevice("colored")
for sensor in (eye, felt, north, south, bump):
    sensor.enable(int(robot.getBasicTimeStep()))
wheel.target_velocity = 4
k, slow = 0, 0.0
while robot.step() != -1:
    far = eye.value
    x, y, z = north.getValues()
    slow += 0.1 * (turned.getValues()[2] - slow)
    wheel.setPosition(2.5 if k < 30 else 0 if math.isnan(far) else far / 1000 + math.sqrt(slow * slow))
    arm.setPosition(0.3 if k // 20 % 2 else -0.3)
    dimmed.set(int(255 * abs(x)))
    colored.set(1 + (felt.getValues()[0] > 0) - int(bump.getValue()))
    k += 1
"""
MACHINE_MAP = """format = 1
world = "machine.wbt"
robot = "machine"
board = "BOARD"
flavor = "standalone"
controller = "moves.py"
[devices."wheel motor"]
driver = "hbridge"
pwm = "PWM1"
forward = "OUT1"
backward = "OUT2"
full_speed = 9.0
encoder = "wheel sensor"
[devices."wheel sensor"]
driver = "quadrature_encoder"
a = "IN1"
b = "IN2"
counts = 720.0
[devices."arm motor"]
driver = "servo"
pin = "SERVO1"
low = -1.0
high = 1.0
[devices.eye]
driver = "analog"
pin = "ADC1"
low = 0.0
high = 3000.0
[devices.felt]
driver = "mpu6050_accelerometer"
sda = "SDA"
scl = "SCL"
[devices.turned]
driver = "mpu6050_gyro"
sda = "SDA"
scl = "SCL"
[devices.north]
driver = "hmc5883l_compass"
sda = "SDA"
scl = "SCL"
[devices.south]
driver = "qmc5883l_compass"
sda = "SDA"
scl = "SCL"
[battery]
driver = "ina219_battery"
sda = "SDA"
scl = "SCL"
curve = [[6.0, 0.0], [8.4, 1000.0]]
[devices.bump]
driver = "bumper"
pin = "IN3"
[devices.dimmed]
driver = "pwm_led"
pin = "PWM2"
[devices.colored]
driver = "rgb_led"
red = "PWM3"
green = "PWM4"
blue = "PWM5"
inverted = true
"""
NAMES = "PWM1 PWM2 PWM3 PWM4 PWM5 SERVO1 OUT1 OUT2 IN1 IN2 IN3 ADC1 SDA SCL".split()
PICO = "GP0 GP1 GP2 GP3 GP6 GP8 GP16 GP17 GP18 GP19 GP20 GP26 GP4 GP5".split()
PINS = {
    HOST: PICO,
    "pico-micropython": PICO,
    "pyboard": "X1 X2 X3 X7 X8 Y7 X11 X12 X5 X6 Y5 X19 X10 X9".split(),
    "nucleo-f411re-micropython": "PA0 PA1 PA8 PA9 PB3 PB6 PC8 PC9 PA7 PA15 PB2 PC0 PB9 PB8".split(),
    "esp32-s3-micropython": "IO4 IO5 IO6 IO7 IO10 IO11 IO12 IO13 IO14 IO15 IO16 IO1 IO8 IO9".split(),
    "esp32-micropython": "IO4 IO13 IO14 IO16 IO17 IO18 IO19 IO23 IO25 IO26 IO27 IO34 IO21 IO22".split(),
}


def boards(*names: str) -> list[ParameterSet]:
    """Parameters of a test for boards; those with tools of their own for make test-firmware."""
    return [
        pytest.param(name, marks=pytest.mark.boards if load_board(name).emulation["vm"] == VM else ())
        for name in names or PYTHON_BOARDS
    ]


def sample_map(folder: Path, board: str, controller: Path = SAMPLE) -> Path:
    """Write a hardware map for the sample's robot."""
    path = folder / "hardware.toml"
    text = propose(two_wheels(), str(WORLD), board)
    path.write_text(text.replace('flavor = "', f'controller = "{controller}"\nflavor = "'))
    return path


def machine_map(folder: Path, board: str) -> Path:
    """Write world, controller and hardware map of a robot with all drivers."""
    (folder / "machine.wbt").write_text(MACHINE_WORLD)
    (folder / "moves.py").write_text(MACHINE_CODE)
    text = MACHINE_MAP.replace("BOARD", board)
    for name, pin in zip(NAMES, PINS[board], strict=True):
        text = text.replace(f'"{name}"', f'"{pin}"')
    path = folder / "hardware.toml"
    path.write_text(text)
    return path


def verify(map_file: Path, *more: str, steps: int = STEPS) -> int:
    """Run the command."""
    return main(["-q", "firmware", "verify", str(map_file), "--steps", str(steps), *more])


@pytest.mark.parametrize("board", boards())
def test_the_sample_does_the_same_on_the_board(
    board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """scripts.firmware_verified compares more steps."""
    table = tmp_path / "table.csv"
    assert verify(sample_map(tmp_path, board), "--table", str(table)) == 0, capsys.readouterr()
    with table.open(newline="") as file:  # an ESP32-C3 has no pins for the encoders, which nobody reads
        rows = [row for row in csv.DictReader(file) if row["step"]]
    assert {row["result"] for row in rows} == {"agrees"}
    assert {row["value"] for row in rows} == {"velocity", "value", "lit"}
    assert len(rows) == 4 * STEPS


@pytest.mark.parametrize("board", boards(*PINS))
def test_all_drivers_do_the_same(board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    table = tmp_path / "table.csv"
    assert verify(machine_map(tmp_path, board), "--table", str(table)) == 0, capsys.readouterr()
    with table.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["result"] != "given"]
    changing = {row["device"] for row in rows if row["board"] not in ("0.0", "nan")}
    assert changing == {
        *("wheel motor", "arm motor", "eye", "felt", "turned", "north", "south", "dimmed", "colored"),
        "machine",
    }


FAULTS = {
    "PWM scaling": ("wb/board.py", "duty * 257", "duty * 250"),
    "direction": ("wb/hbridge.py", "velocity > 0)", "velocity < 0)"),
    "encoder sign": ("wb/quadrature_encoder.py", "forward == 1:", "forward == 2:"),
    "ADC reference": ("wb/table.py", "'high': 3000.0", "'high': 3001.0"),
    "I2C address": ("wb/table.py", "'address': 104", "'address': 105"),
    "byte order": ("wb/board.py", "data[place] << 8 | data[place + 1]", "data[place + 1] << 8 | data[place]"),
    "pin map": ("wb/table.py", "'forward': 'GP16'", "'forward': 'GP21'"),
    "servo pulse": ("wb/servo.py", "+ 0.5", "+ 2.5"),
}


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The hardware map of a robot that was built."""
    map_file = machine_map(tmp_path_factory.mktemp("machine"), HOST)
    assert main(["-q", "firmware", "build", str(map_file)]) == 0
    return map_file


QUICK = ("direction", "I2C address")
"""Faults that make test looks for; make test-firmware looks for all."""


@pytest.mark.parametrize(
    "fault", [pytest.param(one, marks=() if one in QUICK else pytest.mark.boards) for one in FAULTS]
)
def test_a_fault_on_the_board_is_found(fault: str, machine: Path, tmp_path: Path):
    file, old, new = FAULTS[fault]
    shutil.copytree(machine.with_name("firmware"), tmp_path / "firmware")
    place = tmp_path / "firmware" / file
    assert old in place.read_text()
    place.write_text(place.read_text().replace(old, new))
    given = ["--flavor", "standalone", "--firmware", str(tmp_path / "firmware" / "main.py")]
    assert verify(machine, *given, steps=60) == 1


BAD = """from __future__ import annotations
import numpy as np
from controller import Robot, Cmera
robot = Robot()
motor = robot.getDevice("left wheel motor")
motor.setForce(1.0)
robot.getDevice("camera").getImage()
values = [*range(3)]
print(math.hypot(1, 2))
"""


def test_what_a_board_cannot_run_is_listed_with_its_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "bad.py").write_text(BAD)
    map_file = sample_map(tmp_path, "pico-micropython", tmp_path / "bad.py")
    assert main(["-q", "firmware", "build", str(map_file)]) == 1
    said = capsys.readouterr().err.splitlines()
    places = [line.partition("bad.py:")[2].partition(" ") for line in said]
    assert [place for place, _, _ in places] == ["2:1:", "3:1:", "6:1:", "7:1:", "8:10:", "9:7:"]
    words = ["numpy", '"Camera"', "setForce", "no Camera", "in a list", "hypot"]
    assert all(word in why for word, (_, _, why) in zip(words, places, strict=True))
    assert not (tmp_path / "firmware" / "main.py").exists()


def test_a_board_with_python_runs_controllers_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    map_file = sample_map(tmp_path, HOST)
    map_file.write_text(map_file.read_text().replace('flavor = "standalone"', 'flavor = "slave"'))
    assert main(["-q", "firmware", "build", str(map_file)]) == 2
    assert 'flavor = "standalone"' in capsys.readouterr().err


def test_the_second_serial_line_of_an_esp32_c3_is_not_that_of_its_boot_log():
    """GPIO20 and GPIO21 are U0RXD and U0TXD (data sheet of the ESP32-C3, table "IO MUX Pin Functions")."""
    board = load_board("esp32-c3-micropython")
    assert not {"IO20", "IO21"} & {*board.able("rx"), *board.able("tx")}
    assert "input" not in board.pins["IO21"], "the chip drives this pin at each reset"
