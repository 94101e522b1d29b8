"""Stepper motors beside a simulation: verify compares their steps with the commands, and finds faults."""

from __future__ import annotations

import csv
import ctypes
import math
import re
import shutil
from pathlib import Path

import pytest

from tests.firmware.conftest import require_board
from tests.firmware.test_display import library
from tests.firmware.test_micropython import verify
from tests.firmware.wired import mapped, table_of
from wbridge.main import main
from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.problems import HardwareError

WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 gravity 0 }
Robot {
  name "plotter"
  children [
    HingeJoint {
      jointParameters HingeJointParameters { axis 0 0 1 }
      device RotationalMotor { name "arm" maxVelocity 3 acceleration 4 }
      endPoint Solid { name "beam" boundingObject Box { size 0.1 0.02 0.02 } physics Physics { } }
    }
    SliderJoint {
      jointParameters JointParameters { axis 0 0 1 }
      device LinearMotor { name "lift" maxVelocity 0.1 }
      endPoint Solid { name "pen" boundingObject Box { size 0.02 0.02 0.1 } physics Physics { } }
    }
  ]
  boundingObject Box { size 0.2 0.1 0.1 }
  physics Physics { }
}
"""
C_CODE = """#include <math.h>
#include <webots/motor.h>
#include <webots/robot.h>

int main(void) {
  wb_robot_init();
  WbDeviceTag arm = wb_robot_get_device("arm"), lift = wb_robot_get_device("lift");
  wb_motor_set_velocity(lift, 0.04);
  for (int k = 0; wb_robot_step(16) != -1; k++) {
    if (k % 60 == 10) wb_motor_set_position(lift, k % 120 < 60 ? 0.012 : -0.003);
    if (k % 120 == 0) wb_motor_set_position(arm, INFINITY);
    if (k % 120 == 0) wb_motor_set_velocity(arm, 0.7);
    if (k % 120 == 50) wb_motor_set_velocity(arm, -0.4);
    if (k % 120 == 80) wb_motor_set_velocity(arm, 0.0);
  }
  return 0;
}
"""
PYTHON_CODE = """from controller import Robot

robot = Robot()
arm, lift = robot.getDevice("arm"), robot.getDevice("lift")
lift.setVelocity(0.04)
k = 0
while robot.step(16) != -1:
    if k % 60 == 10:
        lift.setPosition(0.012 if k % 120 < 60 else -0.003)
    if k % 120 == 0:
        arm.setPosition(float("inf"))
        arm.setVelocity(0.7)
    if k % 120 == 50:
        arm.setVelocity(-0.4)
    if k % 120 == 80:
        arm.setVelocity(0.0)
    k += 1
"""
MAP = """format = 1
world = "plotter.wbt"
robot = "plotter"
board = "BOARD"
flavor = "standalone"
controller = "code.SUFFIX"
[devices.arm]
driver = "stepper"
in1 = "IN1"
in2 = "IN2"
in3 = "IN3"
in4 = "IN4"
[devices.lift]
driver = "step_direction"
step = "STEP"
direction = "DIRECTION"
steps = 5000.0
inverted = true
acceleration = 0.2
home = "HOME"
home_velocity = -0.03
home_travel = 0.05
home_position = 0.001
"""
NAMES = "IN1 IN2 IN3 IN4 STEP DIRECTION HOME".split()
ON_AVR, ON_PICO = "D2 D4 D7 D8 D12 D13 A0".split(), "GP2 GP3 GP6 GP7 GP10 GP11 GP12".split()
PINS = {
    "host": [*ON_AVR[:-1], "D22"],
    "arduino-uno": ON_AVR,
    "arduino-mega": ON_AVR,
    "pico": ON_PICO,
    "host-python": ON_PICO,
    "pico-micropython": ON_PICO,
    "pyboard": "X1 X2 X3 X4 X5 X6 X7".split(),
    "esp32-micropython": "IO4 IO13 IO14 IO16 IO17 IO18 IO19".split(),
}
FAST = ("host-python",)
"""Boards that make test verifies; make test-firmware verifies all."""


def plotter_map(folder: Path, board: str) -> Path:
    """Write world, controller and hardware map of a robot with two stepper motors."""
    suffix = "c" if load_board(board).python is None else "py"
    (folder / "plotter.wbt").write_text(WORLD)
    (folder / f"code.{suffix}").write_text(C_CODE if suffix == "c" else PYTHON_CODE)
    text = MAP.replace("BOARD", board).replace("SUFFIX", suffix)
    for name, pin in zip(NAMES, PINS[board], strict=True):
        text = text.replace(f'"{name}"', f'"{pin}"')
    path = folder / "hardware.toml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    "board", [pytest.param(one, marks=() if one in FAST else pytest.mark.boards) for one in PINS]
)
def test_the_steps_follow_the_commands(board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    if load_board(board).python is None:
        require_board(board)
    table, steps = tmp_path / "table.csv", 130 if board in FAST else 1000
    map_file = plotter_map(tmp_path, board)
    assert verify(map_file, "--flavor", "standalone", "--table", str(table), steps=steps) == 0, (
        capsys.readouterr()
    )
    with table.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["value"] == "position"]
    lift = [float(row["board"]) for row in rows if row["device"] == "lift"]
    assert max(lift) == pytest.approx(0.012) and len({row["board"] for row in rows}) > 60


# its driver agrees in the flavor for itself (above), and others in these (test_hil.py, test_verify_slave.py)
@pytest.mark.slow
def test_the_other_flavors_agree_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Beside a simulation the board has no motors; over the link one motor turns without an end."""
    require_board("arduino-uno")
    map_file = plotter_map(tmp_path, "arduino-uno")
    for flavor in ("hil", "slave"):
        assert verify(map_file, "--flavor", flavor, steps=20) == 0, capsys.readouterr()


FAULTS = {
    "coil sequence": ("wb/stepper.py", "4, 12, 8, 9)", "4, 8, 12, 9)", "arm"),
    "direction of the coils": ("wb/stepper.py", "else count) & 7", "else -count) & 7", "arm"),
    "steps of the coils": ("wb/table.py", "'steps': 4096.0", "'steps': 4000.0", "arm"),
    "coils exchanged": ("wb/table.py", "'in2': 'GP3', 'in3': 'GP6'", "'in2': 'GP6', 'in3': 'GP3'", "arm"),
    "direction": ("wb/step_direction.py", "!= self._inverted", "== self._inverted", "lift"),
    "step that stays high": ("wb/step_direction.py", "self._step.value(0)", "pass", "lift"),
    "direction after the step": ("wb/table.py", "'step': 'GP10'", "'step': 'GP12'", "lift"),
    "rounding of the target": ("wb/steps.py", "else steps + 0.5", "else steps + 1.5", "lift"),
    "unit of the time": ("wb/steps.py", "elapsed / 1000", "elapsed / 1100", "arm"),
    "sign of the velocity": ("wb/steps.py", "(self._velocity > 0)", "(self._velocity < 0)", "arm"),
}
"""A file on the board, a text in it, what stands there instead, and the device."""


@pytest.fixture(scope="module")
def plotter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The hardware map of a robot that was built."""
    map_file = plotter_map(tmp_path_factory.mktemp("plotter"), "host-python")
    assert main(["-q", "firmware", "build", str(map_file)]) == 0
    return map_file


@pytest.mark.boards
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_at_its_motor(fault: str, plotter: Path, tmp_path: Path):
    file, old, new, device = FAULTS[fault]
    shutil.copytree(plotter.with_name("firmware"), tmp_path / "firmware")
    place, table = tmp_path / "firmware" / file, tmp_path / "table.csv"
    assert old in place.read_text()
    place.write_text(place.read_text().replace(old, new))
    given = [
        "--flavor",
        "standalone",
        "--firmware",
        str(tmp_path / "firmware" / "main.py"),
        "--table",
        str(table),
    ]
    assert verify(plotter, *given, steps=130) == 1
    with table.open(newline="") as rows:
        found = {row["device"] for row in csv.DictReader(rows) if row["result"] not in ("given", "agrees")}
    assert device in found


BUSY = """#include <math.h>
#include <webots/motor.h>
#include <webots/robot.h>

int main(void) {
  wb_robot_init();
  const WbDeviceTag arm = wb_robot_get_device("arm");
  volatile long work = 0;
  wb_motor_set_position(arm, INFINITY);
  wb_motor_set_velocity(arm, 2.0);
  for (int k = 0; k < 50; k++) {
    wb_robot_step(32);
    for (long n = 0; n < LOOPS; n++) work += n;
  }
  wb_motor_set_velocity(arm, 0.0);
  wb_robot_step(640);
  return 0;
}
"""


@pytest.mark.parametrize(
    ("board", "loops"), [("arduino-uno", 10_000), pytest.param("pico", 130_000, marks=pytest.mark.boards)]
)
def test_a_motor_keeps_its_velocity_while_the_controller_computes(board: str, loops: int, tmp_path: Path):
    """Judge: v t, with the ramp of the world: 4 rad/s2 for half a second. Most of each step is computing."""
    require_board(board)
    place = plotter_map(tmp_path, board)
    (tmp_path / "code.c").write_text(BUSY.replace("LOOPS", str(loops)))
    assert main(["-q", "firmware", "build", str(place)]) == 0
    name = ":".join(("COILS", *PINS[board][:4]))
    with Bench(load_board(board), tmp_path / "firmware" / "firmware.elf", lockstep=True) as bench:
        bench.show(name)
        said = bench.run(1_500_000).decode()
        angle = bench.show(name).value * 2 * math.pi / 4096
        said += bench.run(800_000).decode()
        assert bench.show(name).value * 2 * math.pi / 4096 == pytest.approx(2.0 * 1.6 - 0.5 + 0.5, abs=0.05)
    assert angle == pytest.approx(2.0 * 1.5 - 0.5, abs=0.06)
    assert "overruns" not in said


MOTOR = {"minPosition": 0.0, "maxPosition": 0.0, "maxVelocity": 3.0, "type": "rotational"}
TWO = {"arm": ("RotationalMotor", MOTOR), "wheel": ("RotationalMotor", MOTOR)}
TWO_MAP = """format = 1
world = "w.wbt"
robot = "all"
board = "arduino-uno"
[devices.arm]
driver = "step_direction"
step = "D7"
direction = "D8"
[devices.wheel]
driver = "hbridge"
pwm = "D5"
forward = "D2"
backward = "D4"
full_speed = 4.0
"""


@pytest.mark.parametrize(
    ("old", "new", "doubt"),
    [
        ("", "", ""),
        ('"D5"', '"D3"', "D3 needs the timer that makes the steps"),
        ('"D8"', '"D8"\nsteps = 6400.0', "needs 3056 steps per second; Arduino Uno makes at most 2500"),
    ],
)
def test_a_map_that_makes_motors_slow_is_doubted(old: str, new: str, doubt: str, tmp_path: Path):
    """Judge: 3 rad/s / (2 pi) x 6400; timer 2 has D3 (data sheet of the ATmega328P)."""
    doubts = [one.text for one in mapped(tmp_path, TWO_MAP.replace(old, new), table_of(TWO)).doubts]
    assert [doubt in one for one in doubts] == ([True] if doubt else [])


HOME = 'home = "D12"\nhome_velocity = -0.1\nhome_travel = 3.0\n'


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("", "", ""),
        ("home_velocity = -0.1\n", "", "home needs home_velocity"),
        ("home_travel = 3.0\n", "", "home_velocity needs home_travel"),
        ('home = "D12"\n', "", "home_travel needs home "),
        ('"D12"', '"D7"', "D7 is already used"),
        ('"D12"', '"D42"', "no pin of Arduino Uno"),
    ],
)
def test_a_switch_needs_all_of_its_settings(old: str, new: str, why: str, tmp_path: Path):
    text = TWO_MAP.replace('"D8"\n', f'"D8"\n{HOME.replace(old, new)}')
    if not why:
        mapped(tmp_path, text, table_of(TWO))
        return
    with pytest.raises(HardwareError, match=re.escape(why)):
        mapped(tmp_path, text, table_of(TWO))


class Coils(ctypes.Structure):
    """struct coils of coils.h."""

    _fields_ = (("on", ctypes.c_uint8), ("at", ctypes.c_uint8), ("half_steps", ctypes.c_int32))


def test_a_rotor_is_where_the_coils_hold_it_when_the_bench_first_looks(tmp_path: Path):
    """Two coils on are the half step between them; the next ones go on from there, both ways."""
    loaded = library(tmp_path, "boards/shared/emulated_parts/coils.c")
    rotor = Coils()
    loaded.coils_begin(ctypes.byref(rotor), 0b1100)
    assert rotor.half_steps == 0
    for coil, is_on, steps in ((2, False, 1), (0, True, 2), (0, False, 1), (2, True, 0), (3, False, -1)):
        loaded.coils_switch(ctypes.byref(rotor), coil, is_on)
        assert rotor.half_steps == steps
