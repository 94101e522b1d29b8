"""Motors whose velocity changes no faster than the hardware map allows.

Judge: velocity = acceleration x time, at the pins; and the desktop's commands, with the same law.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.firmware.conftest import WORLD, require_board, two_wheels
from tests.firmware.watched import Robot
from wbridge.main import main
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.problems import HardwareError

ACCELERATION, FULL = 8.0, 12.0
LEFT, RIGHT = 1, 3


def written(folder: Path, board: str, driver: str, more: str = "") -> Path:
    """The map of the sample's robot, whose left motor has a ramp."""
    text = propose(two_wheels(), str(WORLD), board)
    text = re.sub(r"acceleration = 0.0\b", f"acceleration = {ACCELERATION}", text, count=1)
    if driver == "drv8833":
        text = text.replace('driver = "hbridge"', 'driver = "drv8833"')
        text = re.sub(r"^pwm = .*\n", "", text, flags=re.MULTILINE)
        pins = iter(("D20", "D21", "D22", "D23"))
        directions = re.compile(r'^((?:for|back)ward = )"\w+"', re.MULTILINE)
        text = directions.sub(lambda found: f'{found[1]}"{next(pins)}"', text)
    place = folder / "hardware.toml"
    place.write_text(text.replace("speed_p = 0.0", more or "speed_p = 0.0", 1))
    return place


class Motors:
    def __init__(self, robot: Robot, place: Path) -> None:
        self.robot = robot
        self._values = {one.device.tag: one.values for one in load_hardware(place, two_wheels()).wirings}

    def velocity(self, tag: int) -> float:
        values, show = self._values[tag], self.robot.bench.show
        if "pwm" in values:
            duty = show(values["pwm"])
            share = duty.value if duty.use == "pwm" else 0.0
            return FULL * share * (show(values["forward"]).value - show(values["backward"]).value)
        forward, backward = (show(values[name]) for name in ("forward", "backward"))
        return FULL * (forward.value * (forward.use == "pwm") - backward.value * (backward.use == "pwm"))

    def command(self, velocity: float) -> None:
        for tag in (LEFT, RIGHT):
            self.robot.set(tag, "position", math.inf)
            self.robot.set(tag, "velocity", velocity)
        self.robot.step()

    def after(self, seconds: float) -> float:
        self.robot.pass_time(seconds)
        return self.velocity(LEFT)


@pytest.fixture(scope="module", params=["host hbridge", "arduino-uno hbridge", "host drv8833"])
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Built]:
    """A hardware map and its firmware."""
    board, driver = request.param.split()
    require_board(board)
    place = written(tmp_path_factory.mktemp(driver), board, driver)
    return place, build(load_hardware(place, two_wheels()), place.with_name("firmware"))


@pytest.fixture
def motors(program: tuple[Path, Built]) -> Iterator[Motors]:
    place, built = program
    robot = Robot(built, two_wheels())
    with robot.bench:
        yield Motors(robot, place)


def test_a_motor_reaches_its_velocity_by_a_ramp(motors: Motors):
    motors.command(6.0)
    assert motors.velocity(RIGHT) == pytest.approx(6.0, abs=FULL / 255), "that one has no ramp"
    first = motors.velocity(LEFT)
    assert first < 1.0
    assert motors.after(0.2) - first == pytest.approx(0.2 * ACCELERATION, abs=0.2)
    motors.command(6.0)
    motors.after(0.3)
    motors.command(6.0)
    assert motors.after(0.3) == pytest.approx(6.0, abs=FULL / 255)
    motors.command(-2.0)
    first = motors.velocity(LEFT)
    assert motors.after(0.3) - first == pytest.approx(-0.3 * ACCELERATION, abs=0.2)


def test_a_robot_that_stops_stops_at_once(motors: Motors):
    motors.command(6.0)
    motors.after(0.3)
    assert motors.velocity(LEFT) > 1
    assert motors.after(0.6) == 0, "the watchdog of the link"


def test_it_cannot_be_used_with_speed_control(tmp_path: Path):
    with pytest.raises(HardwareError, match="acceleration cannot be used with speed_p"):
        load_hardware(written(tmp_path, "host", "hbridge", "speed_p = 0.5"), two_wheels())


CODE = {
    ".c": """#include <math.h>
#include <webots/motor.h>
#include <webots/robot.h>

int main(void) {
  wb_robot_init();
  const WbDeviceTag left = wb_robot_get_device("left wheel motor");
  const WbDeviceTag right = wb_robot_get_device("right wheel motor");
  wb_motor_set_position(left, INFINITY);
  wb_motor_set_position(right, INFINITY);
  for (int step = 0; wb_robot_step(16) != -1; step++) {
    wb_motor_set_velocity(left, step % 60 < 40 ? 5 : -3);
    wb_motor_set_velocity(right, step % 30 < 20 ? 2 : 0);
  }
}
""",
    ".py": """from controller import Robot

robot = Robot()
left, right = robot.getDevice("left wheel motor"), robot.getDevice("right wheel motor")
left.setPosition(float("inf"))
right.setPosition(float("inf"))
step = 0
while robot.step(16) != -1:
    left.setVelocity(5 if step % 60 < 40 else -3)
    right.setVelocity(2 if step % 30 < 20 else 0)
    step += 1
""",
}


@pytest.mark.parametrize(
    ("board", "driver", "suffix"),
    [
        pytest.param("host", "hbridge", ".c", marks=pytest.mark.slow),
        ("arduino-uno", "hbridge", ".c"),
        pytest.param("host", "drv8833", ".c", marks=pytest.mark.slow),
        ("host-python", "hbridge", ".py"),
        pytest.param("pico", "hbridge", ".c", marks=pytest.mark.boards),
        pytest.param("pico-micropython", "hbridge", ".py", marks=pytest.mark.boards),
    ],
)
def test_the_board_has_the_ramp_that_is_expected(board: str, driver: str, suffix: str, tmp_path: Path):
    if suffix != ".py":
        require_board(board)
    place = written(tmp_path, board, driver)
    (tmp_path / f"code{suffix}").write_text(CODE[suffix])
    text = place.read_text().replace('flavor = "slave"', 'flavor = "standalone"')
    place.write_text(text.replace("format = 1\n", f'format = 1\ncontroller = "code{suffix}"\n'))
    words = ["--steps", "100", "--flavor", "standalone"]
    assert main(["-q", "firmware", "verify", str(place), *words]) == 0
