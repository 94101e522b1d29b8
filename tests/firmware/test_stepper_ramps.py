"""The motion of stepper motors, tick by tick: ramps, targets, the way to a switch.

Judge: formulas of a motion with constant acceleration, and a step at each whole number of steps.
"""

from __future__ import annotations

import ctypes
import itertools
import math
import subprocess
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from tests.conftest import require_tool
from wbridge.wbfirmware.template_folders import templates_path

TICKS = 10_000
"""Per second, in C."""
PER_METER = 1000.0
CONFIG = f"""#define LINK_REAL 8
#define BOARD_TICKS {TICKS}
#define STEPPER_HOMING
"""
PROGRAM = f"#define PER_METER {PER_METER!r}"
PROGRAM += """
#include "steps.h"
#include "board.h"
static struct steps motor;
static struct steps_setup setup = {.steps = PER_METER, .linear = true, .max_velocity = 1.0};
static bool level, input_pulled;
bool board_level(uint8_t pin) { return pin == 7 && level; }
void board_input(uint8_t pin, bool pull_up) { input_pulled = pin == 7 && pull_up; }
void board_lock(void) {}
void board_unlock(void) {}
void own_start(double limit, double own, double home_velocity, double home_position, bool opens) {
  motor = (struct steps){0};
  setup.acceleration = limit;
  setup.own_acceleration = own;
  setup.home = 7;
  setup.home_opens = opens;
  setup.home_velocity = home_velocity;
  setup.home_position = home_position;
  setup.home_travel = 0.5;
  steps_start(&motor, &setup);
}
void own_position(double value) { steps_position(&motor, &setup, value); }
void own_velocity(double value) { steps_velocity(&motor, &setup, value); }
void own_acceleration(double value) { steps_acceleration(&motor, &setup, value); }
void own_stop(void) { steps_stop(&motor, &setup); }
int own_tick(void) { return steps_tick(&motor, &setup); }
int own_count(void) { return motor.count; }
void own_level(bool value) { level = value; }
"""


class Motor:
    """A motor beside its steps: `steps` has the time (s) and the place of each one."""

    ticks = TICKS

    def __init__(self) -> None:
        self.now, self.place = 0, 0
        self.steps: list[tuple[float, int]] = []
        self.closes: Callable[[int], bool] = lambda place: False
        """Where the switch is closed."""
        self.opens = False

    def run(self, seconds: float) -> list[tuple[float, int]]:
        """Let time pass; return its steps."""
        before = len(self.steps)
        for _ in range(round(seconds * self.ticks)):
            self.now += 1
            self.set_level(not self.closes(self.place))
            step = self.tick()
            if step:
                self.place += step
                self.steps.append((self.now / self.ticks, self.place))
        return self.steps[before:]

    def set_level(self, is_high: bool) -> None:
        raise NotImplementedError

    def tick(self) -> int:
        raise NotImplementedError


class MotorInC(Motor):
    def __init__(self, loaded: ctypes.CDLL, **setup: float) -> None:
        super().__init__()
        self._loaded = loaded
        for name in ("position", "velocity", "acceleration"):
            function = loaded[f"own_{name}"]
            function.argtypes = [ctypes.c_double]
            setattr(self, name, function)
        loaded.own_level.argtypes = [ctypes.c_bool]
        self.set_level, self.tick, self.stop = loaded.own_level, loaded.own_tick, loaded.own_stop
        loaded.own_start.argtypes = [ctypes.c_double] * 4 + [ctypes.c_bool]
        names = ("limit", "own", "home", "at", "opens")
        values = {"limit": 0.0, "own": -1.0, "home": 0.0, "at": 0.0, "opens": False, **setup}
        loaded.own_start(*(values[name] for name in names))

    def count(self) -> int:
        return int(self._loaded.own_count())


class Pin:
    def __init__(self) -> None:
        self.level = 1

    def value(self) -> int:
        return self.level


class MotorInPython(Motor):
    """Its ticks come every millisecond."""

    ticks = 1000

    def __init__(self, module: Any, **setup: float) -> None:
        super().__init__()
        pin = Pin()
        module.board.input = lambda name, pull_up: pin
        home = setup.get("home", 0.0)
        self._motion = module.Steps(
            {
                "steps": PER_METER, "linear": True, "max_velocity": 1.0, "home": "X" if home else "",
                "acceleration": setup.get("limit", 0.0), "own_acceleration": setup.get("own", -1.0),
                "home_opens": setup.get("opens", False), "home_velocity": home, "home_travel": 0.5,
                "home_position": setup.get("at", 0.0),
            }
        )  # fmt: skip
        self._pin = pin
        self.position, self.velocity = self._motion.position, self._motion.velocity
        self.acceleration, self.stop = self._motion.accelerate, self._motion.stop

    def set_level(self, is_high: bool) -> None:
        self._pin.level = int(is_high)

    def tick(self) -> int:
        return int(self._motion.next(1))

    def count(self) -> int:
        return int(self._motion.count)


@pytest.fixture(scope="module")
def in_c(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    require_tool("cc", "compiles C")
    folder, project = tmp_path_factory.mktemp("steps"), templates_path() / "project"
    (folder / "config.h").write_text(CONFIG)
    (folder / "pins.h").write_text("#define BOARD_PINS 8\n")
    (folder / "own.c").write_text(PROGRAM)
    words = ["cc", "-O1", "-shared", "-fPIC", f"-I{folder}", f"-I{project}", "-Wall", "-Wextra", "-Werror"]
    library = folder / "own.so"
    subprocess.run([*words, folder / "own.c", project / "steps.c", "-o", library, "-lm"], check=True)
    return ctypes.CDLL(str(library))


@pytest.fixture(scope="module")
def in_python() -> Any:
    """The module of boards with MicroPython, in CPython."""
    text = (templates_path() / "micropython" / "steps.py").read_text()
    text = text.replace("from time import ticks_add, ticks_diff, ticks_ms\n", "")
    module = ModuleType("steps")
    exec(text.replace("from wb import board\n", ""), module.__dict__)
    module.board = ModuleType("board")  # type: ignore[attr-defined]
    return module


@pytest.fixture(params=["C", "Python"])
def motor(request: pytest.FixtureRequest, in_c: ctypes.CDLL, in_python: Any) -> Callable[..., Any]:
    """A function that makes a motor."""
    if request.param == "C":
        return lambda **setup: MotorInC(in_c, **setup)
    return lambda **setup: MotorInPython(in_python, **setup)


def test_it_reaches_its_velocity_by_a_ramp(motor: Callable[..., Any]):
    """The place is a t^2 / 2 on the ramp, then v t."""
    one = motor(limit=0.5)
    one.velocity(0.4)
    one.position(math.inf)
    for time, place in one.run(1.5):
        ramp = min(time, 0.8)
        assert place / PER_METER == pytest.approx(0.25 * ramp * ramp + 0.4 * (time - ramp), abs=0.003)
    one.velocity(-0.4)
    turned = one.run(3.2)
    most = max(place for _, place in turned)
    assert (most - one.steps[-len(turned) - 1][1]) / PER_METER == pytest.approx(0.4 * 0.4 / 1.0, abs=0.003)
    later = [place for time, place in turned if time > 1.5 + 1.6]
    assert (later[-1] - later[0]) / PER_METER == pytest.approx(-0.4 * 1.6, abs=0.005)


@pytest.mark.parametrize(("target", "seconds"), [(0.4, 1.8), (-0.1, 2 * math.sqrt(0.1 / 0.5)), (0.001, 0.07)])
def test_it_stands_at_its_target(motor: Callable[..., Any], target: float, seconds: float):
    """Judge: a trapezoid takes v/a + s/v, a triangle 2 sqrt(s/a)."""
    one = motor(limit=0.5)
    one.velocity(0.4)
    one.position(target)
    steps = one.run(seconds + 0.5)
    assert one.place == one.count() == round(target * PER_METER)
    assert steps[-1][0] == pytest.approx(seconds, abs=0.08)
    assert len(steps) == abs(one.place), "it never turns back"


@pytest.mark.parametrize("limit", [0.2, 1.0])
@pytest.mark.parametrize(("velocity", "target"), [(0.07, 0.047), (0.31, 0.131), (0.9, 0.101)])
def test_it_can_stand_at_its_target_from_each_step(
    motor: Callable[..., Any], limit: float, velocity: float, target: float
):
    """Judge: from n steps before its end, a motion with deceleration a takes sqrt(2 n / a). The last step
    begins where the motor can stand at once.
    """
    one = motor(limit=limit)
    one.velocity(velocity)
    one.position(target)
    times = [0.0, *(time for time, _ in one.run(4.0))]
    assert one.place == round(target * PER_METER)
    for left in range(1, 10):
        took = times[-1 - left] - times[-2 - left]
        least = (math.sqrt(2 * (left + 1)) - math.sqrt(2 * left)) / math.sqrt(limit * PER_METER)
        assert took >= 0.95 * least - 1 / one.ticks


def test_no_change_of_target_exceeds_the_acceleration(motor: Callable[..., Any]):
    """Means over 20 ms differ by at most 0.02 a, and by the resolution of whole steps."""
    one = motor(own=0.5)
    one.velocity(0.4)
    means = []
    for k in range(200):
        if k % 25 == 0:
            one.position((0.3, 0.05, -0.2, math.inf, -math.inf, 0.0, 0.1, -0.05)[k // 25])
        before = one.place
        one.run(0.02)
        means.append((one.place - before) / 0.02 / PER_METER)
    assert max(abs(b - a) for a, b in itertools.pairwise(means)) <= 0.02 * 0.5 + 2 / 0.02 / PER_METER
    one.run(1.5)
    assert one.place == one.count() == -0.05 * PER_METER


def test_the_limit_of_the_map_stands_and_lower_ones_apply(motor: Callable[..., Any]):
    for asked, expected in ((-1.0, 0.5), (2.0, 0.5), (0.25, 0.25)):
        one = motor(limit=0.5, own=9.0)
        one.acceleration(asked)
        one.velocity(1.0)
        one.position(math.inf)
        one.run(1.0)
        assert one.place / PER_METER == pytest.approx(0.5 * expected, abs=0.004)


def test_without_a_limit_it_has_its_velocity_at_once(motor: Callable[..., Any]):
    one = motor()
    one.velocity(0.4)
    one.position(0.2)
    steps = one.run(0.6)
    assert steps[0][0] == pytest.approx(1 / 400, abs=0.0011) and steps[-1][0] == pytest.approx(0.5, abs=0.002)
    assert one.place == 200


def test_a_stop_is_at_once_and_the_count_stays_right(motor: Callable[..., Any]):
    one = motor(limit=0.5)
    one.velocity(0.4)
    one.position(0.3)
    one.run(0.7)
    one.stop()
    assert not one.run(0.3) and one.place == one.count()
    one.position(0.1)
    one.run(2.0)
    assert one.place == 100


@pytest.mark.parametrize("opens", [False, True])
@pytest.mark.parametrize(("home", "edge", "begin"), [(-0.05, -40, 0), (-0.05, 10, 0), (0.05, 30, 0)])
def test_it_finds_its_switch_first(
    motor: Callable[..., Any], opens: bool, home: float, edge: int, begin: int
):
    """Wherever it begins, it is at home where the switch changes as it moves toward it."""
    one = motor(limit=2.0, home=home, at=0.02, opens=opens)

    def closes(place: int) -> bool:
        is_there = place <= edge if home < 0 else place >= edge
        return is_there != opens

    one.closes = closes
    assert not one.run(0.1), "nothing moves before a command"
    one.velocity(0.4)
    one.position(0.05)
    speeds = [b[0] - a[0] for a, b in itertools.pairwise(one.run(1.6))]
    assert min(speeds) > 1 / 400 - 0.0011
    one.run(1.0)
    assert one.count() == 50
    assert one.place - edge == 50 - 20
    one.position(0.03)
    one.run(0.5)
    assert one.place - edge == 30 - 20, "the next time, it moves straight"
    one.position(math.inf)
    one.run(0.1)
    one.stop()
    one.position(0.05)
    one.run(2.5)
    assert one.place - edge == 50 - 20 and one.count() == 50, "after a stop on its way it looks again"


def test_a_velocity_alone_leaves_it_where_it_is(motor: Callable[..., Any]):
    one = motor()
    one.velocity(0.4)
    assert not one.run(0.2)
    one = motor(home=-0.4, at=0.1)
    one.closes = lambda place: place <= -30
    one.velocity(0.4)
    one.run(0.5)
    one.velocity(0.2)
    assert not one.run(0.2) and one.count() == 100 and one.place == -30, "at its switch, if it has one"


def test_it_gives_up_where_there_is_no_switch(motor: Callable[..., Any]):
    one = motor(home=-0.4)
    one.position(0.1)
    one.run(3.0)
    assert one.place == pytest.approx(-500, abs=1)
    assert not one.run(0.5)
    one.stop()
    one.closes = lambda place: place <= -400
    one.position(0.0)
    one.run(2.0)
    assert one.count() == 0 and one.place == -400
