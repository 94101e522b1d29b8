"""`wbridge firmware verify` by the pins: motors that go to positions, and sensors that take their time."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.firmware.conftest import boards, require_board
from wbridge.main import main
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.tables.device_tables import device_tables
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbverify.coupling import uncoupled

STEP_MS, STEPS = 16, 200
SPEED, GAIN, SERVO_SPEED = 9.0, 6.0, 1.5
"""Of the wheel: rad/s at full duty, P of its controlPID; of the arm: rad/s."""
PULSE_US = 1000
"""Between the ends of the servo's way, of 2 rad."""
RANGE = 2.0
"""m; what the sound reaches."""
TURNS = "jointParameters HingeJointParameters { axis 0 0 1 }"
WORLD = f"""#VRML_SIM R2025a utf8
WorldInfo {{ basicTimeStep {STEP_MS} gravity 0 }}
Robot {{
  name "machine"
  children [
    HingeJoint {{
      {TURNS}
      device [
        RotationalMotor {{ name "wheel motor" maxVelocity 6 controlPID {GAIN} 0 0 }}
        PositionSensor {{ name "wheel sensor" }}
      ]
      endPoint Solid {{ name "wheel" boundingObject Sphere {{ radius 0.1 }} physics Physics {{ }} }}
    }}
    HingeJoint {{
      {TURNS}
      device [ RotationalMotor {{
        name "arm motor" maxVelocity {SERVO_SPEED} minPosition -1 maxPosition 1
      }} ]
      endPoint Solid {{
        translation 0.3 0 0
        name "arm"
        children [ DistanceSensor {{
          name "eye" lookupTable [ 0 0 0, 3 3000 0 ] numberOfRays 1
        }} ]
        boundingObject Sphere {{ radius 0.05 }}
        physics Physics {{ }}
      }}
    }}
  ]
}}
Solid {{ name "slope" translation 1.5 0 0 rotation 0 0 1 0.6 boundingObject Box {{ size 0.1 8 1 }} }}
"""
CODE = """#include <math.h>
#include <webots/distance_sensor.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>
#include <webots/robot.h>

int main(void) {
  wb_robot_init();
  const WbDeviceTag wheel = wb_robot_get_device("wheel motor"), arm = wb_robot_get_device("arm motor");
  const WbDeviceTag eye = wb_robot_get_device("eye");
  wb_distance_sensor_enable(eye, 16);
  wb_motor_set_velocity(wheel, 4);
  for (int k = 0; wb_robot_step(16) != -1; k++) {
    const double far = wb_distance_sensor_get_value(eye);
    wb_motor_set_position(wheel, k < 60 ? 2.5 : isnan(far) ? 0 : far / 1000);
    wb_motor_set_position(arm, k / 40 % 2 ? -0.6 : 0.6);
    if (k == 120)
      wb_motor_set_velocity(wheel, 1.5);
  }
  return 0;
}
"""
"""Where the wheel goes follows from how far the eye sees, which the arm moves along a slope."""
MAP = f"""format = 1
world = "machine.wbt"
robot = "machine"
board = "BOARD"
flavor = "standalone"
controller = "machine.c"
[devices."wheel motor"]
driver = "hbridge"
pwm = "D3"
forward = "D2"
backward = "D4"
full_speed = {SPEED}
encoder = "wheel sensor"
[devices."wheel sensor"]
driver = "quadrature_encoder"
a = "D7"
b = "D8"
counts = 720.0
[devices."arm motor"]
driver = "servo"
pin = "D9"
low = -1.0
high = 1.0
low_pulse = 1000
high_pulse = {1000 + PULSE_US}
[devices.eye]
driver = "ultrasonic"
trigger = "D11"
echo = "D12"
range = {RANGE}
"""


class Done(NamedTuple):
    """What a comparison has left."""

    folder: Path
    code: int
    out: str

    def rows(self, device: str, value: str) -> list[dict[str, str]]:
        """The step table of a value."""
        with (self.folder / "table.csv").open(newline="") as file:
            return [row for row in csv.DictReader(file) if (row["device"], row["value"]) == (device, value)]


def prepare(folder: Path, board: str, text: str = MAP) -> Path:
    """Write world, controller and hardware map."""
    (folder / "machine.wbt").write_text(WORLD)
    (folder / "machine.c").write_text(CODE)
    path = folder / "hardware.toml"
    path.write_text(text.replace("BOARD", board))
    return path


def verify(path: Path, *more: str) -> int:
    words = ["--steps", str(STEPS), "--flavor", "standalone", "--table", str(path.with_name("table.csv"))]
    return main(["-q", "firmware", "verify", str(path), *words, *more])


@pytest.fixture(scope="module")
def verified(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Done]:
    """A function that compares a board, each once."""

    @cache
    def make(board: str) -> Done:
        require_board(board)
        path = prepare(tmp_path_factory.mktemp(board), board)
        with pytest.MonkeyPatch.context() as patch:
            said: list[str] = []
            patch.setattr("builtins.print", lambda *words, **options: said.append(" ".join(map(str, words))))
            code = verify(path, "--report", str(path.with_name("report.html")))
        return Done(path.parent, code, "\n".join(said))

    return make


ROUNDINGS = 64 * 2**-24
"""What computing may lose, in relation to the largest number, where reals have 4 bytes."""
OWN = boards("host", "arduino-uno")


@pytest.mark.parametrize("board", OWN)
def test_all_agrees(verified: Callable[[str], Done], board: str):
    done = verified(board)
    assert done.code == 0, done.out


@pytest.mark.parametrize("board", OWN)
def test_the_way_to_a_position_is_compared(verified: Callable[[str], Done], board: str):
    rows = verified(board).rows("wheel motor", "velocity")
    assert len(rows) == STEPS
    velocities = [float(row["board"]) for row in rows]
    half_step = SPEED / 255 / 2
    assert max(velocities) == pytest.approx(4, abs=half_step)  # on its way
    assert min(abs(one) for one in velocities) <= half_step  # arrived
    bounds = [float(row["bound"]) for row in rows]
    assert min(bounds) == pytest.approx(half_step, abs=ROUNDINGS * SPEED)
    # In 15 ms it moves 4 rad/s * 15 ms, or a step's way in less: its gain times that, half to each side.
    assert max(bounds) <= half_step + GAIN * 4 * 0.024 / 2


@pytest.mark.parametrize("board", OWN)
def test_a_servo_s_way_is_compared(verified: Callable[[str], Done], board: str):
    rows = verified(board).rows("arm motor", "position")
    assert len(rows) == STEPS
    assert [row["board"] for row in rows].count("nan") == 1  # first, nobody leads it: there are no pulses
    per_us = 2 / PULSE_US
    bounds = {round(float(row["bound"]), 5) for row in rows}
    # The board's milliseconds; where it turns round, once on the way there and once on the way back.
    assert max(bounds) == pytest.approx(per_us / 2 + 2 * SERVO_SPEED * 0.004, rel=1e-3)
    assert sorted(bounds)[-2] == pytest.approx(per_us / 2 + SERVO_SPEED * 0.004, rel=1e-3)
    assert min(bounds) == pytest.approx(per_us / 2, rel=1e-3)


@pytest.mark.parametrize("board", OWN)
def test_the_desktop_is_told_what_the_board_has_heard(verified: Callable[[str], Done], board: str):
    rows = verified(board).rows("eye", "value")
    assert len({row["board"] for row in rows}) > 10
    # 20 us of sound are 3.4 mm, and the table has 1000 for each meter.
    assert {round(float(row["bound"]), 2) for row in rows} <= {0.0, 3.43}
    assert max(abs(float(row["board"]) - float(row["desktop"])) for row in rows) > 0 or board == "host"
    # The first echo comes 60 ms after the start and is under way for some ms.
    assert int(rows[0]["step"]) in (3, 4, 5)


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


def test_a_motor_without_an_encoder_goes_nowhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    require_board("host")
    path = prepare(tmp_path, "host", changed(MAP, 'encoder = "wheel sensor"\n', ""))
    assert verify(path) == 1
    out = capsys.readouterr().out
    assert re.search(
        r"first: step 1 .*wheel motor.set_position: 2.5 on the desktop, nan on the board", out
    ), out


def build_with(done: Done, file: str, old: str, new: str) -> Path:
    """The program of a project in which somebody has changed a line."""
    folder = done.folder / "changed"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(done.folder / "firmware", folder)
    source = folder / file
    source.write_text(changed(source.read_text(), old, new))
    subprocess.run(["make", "-s"], cwd=folder, check=True, capture_output=True)
    return folder / "firmware.elf"


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        # A tenth more gain; 4 rad/s of 6 are cut, so it shows where the wheel slows down.
        pytest.param(
            "hbridge.c",
            "* hbridge_table[k].gain",
            "* hbridge_table[k].gain * REAL(1.1)",
            "wheel motor.velocity",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "servo.c",
            "state->velocity * elapsed",
            "state->velocity * REAL(1.1) * elapsed",
            "arm motor.position",
            marks=pytest.mark.slow,
        ),
        pytest.param("ultrasonic.c", "0.0001715", "0.0001725", "eye.value", marks=pytest.mark.slow),
        # It triggers once only: what it has heard is right, but grows old.
        (
            "ultrasonic.c",
            "state->since_trigger < MEASUREMENT_PERIOD",
            "state->since_trigger < MEASUREMENT_PERIOD || state->has_value",
            "eye.value",
        ),
    ],
)
def test_a_driver_that_does_otherwise_is_found(
    verified: Callable[[str], Done],
    capsys: pytest.CaptureFixture[str],
    file: str,
    old: str,
    new: str,
    words: str,
):
    done = verified("arduino-uno")
    program = build_with(done, file, old, new)
    path = done.folder / "hardware.toml"
    assert verify(path, "--firmware", str(program)) == 1
    out = capsys.readouterr().out
    assert re.search(rf"DIFFERS.*first: step \d+ .*{words}", out), out


def test_what_is_not_compared_is_said_for_each_device(tmp_path: Path):
    """In the table, in the report, and while it runs; here on a board whose emulator plays no echoes."""
    absent = '[devices."arm motor"]\ndriver = "none"\n[devices.eye]'
    text = re.sub(r'\[devices."arm motor"\].*\[devices.eye\]', absent, MAP, flags=re.DOTALL)
    path = prepare(tmp_path, "host", text)
    controller = path.with_name("machine.c")
    lines = controller.read_text().splitlines()
    controller.write_text("\n".join(one for one in lines if "wb_motor_set_position(arm" not in one))
    world = path.with_name("machine.wbt")
    world.write_text(WORLD.replace(TURNS, TURNS.replace("axis", "position 0.5 axis"), 1))
    report = path.with_name("report.html")
    assert verify(path, "--report", str(report)) == 0
    why = "not on the board: the hardware map has no driver for it"
    with path.with_name("table.csv").open(newline="") as file:
        last = list(csv.DictReader(file))[-1]
    assert (last["place"], last["device"], last["result"]) == (
        "standalone",
        "arm motor",
        f"not compared: {why}",
    )
    html = report.read_text()
    assert "What was not compared" in html
    assert why in html
    assert "&#34;wheel sensor&#34; is at 0.5 when the world starts" in html

    table = device_tables(load_world(tmp_path / "machine.wbt"))[0]
    hardware = load_hardware(path, table)
    hardware = hardware._replace(board=load_board("stm32f405"))
    assert uncoupled(hardware) == {
        "eye": f"the emulator of {hardware.board.title} has no part for the driver ultrasonic"
    }


def test_a_motor_that_turns_before_it_goes_to_a_position_has_counted(tmp_path: Path):
    """Nobody looks at its encoder until then; the board must know where it is."""
    require_board("host")
    path = prepare(tmp_path, "host")
    text = changed(CODE, "k < 60 ? 2.5", "k < 60 ? INFINITY")
    path.with_name("machine.c").write_text(text)
    assert verify(path, "--out", str(tmp_path / "host")) == 0
    with path.with_name("table.csv").open(newline="") as file:
        wheel = [row for row in csv.DictReader(file) if row["device"] == "wheel motor"]
    assert {float(row["desktop"]) for row in wheel[5:50]} == {4.0}
    assert float(wheel[70]["desktop"]) < 0, "it has turned past the place where it shall be"
