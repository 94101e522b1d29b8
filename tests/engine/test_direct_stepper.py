"""Direct steppers: targets in, steps of the world, readings out; anything unusual is refused."""

from __future__ import annotations

import gc
import math
import weakref
from collections.abc import Mapping

import pytest

from wbcore.engine import _engine

POSITION, VELOCITY, SWITCH = 7, 8, 10
STEP_MS = 8
AGES_S = 100.0


class Arm:
    """A link on a hinge with a motor and a sensor, and the values that its stepper delivers."""

    def __init__(self, period: float = STEP_MS, seconds: float = AGES_S, steps: int = 100) -> None:
        self.world = _engine.World(dt=STEP_MS / 1000)
        body = self.world.add_body(_engine.Mass.sphere(1.0, 1000.0), (0.0, 0.0, 0.5))
        self.axis = self.world.add_hinge(body).axes[0]
        self.motor = self.axis.add_motor()
        self.sensors = _engine.SamplePass()
        self.sensors.add(_engine.JointPosition(self.axis, 0.0, -1.0), b"", period, 0.0)
        self.times: list[float] = []
        self.values: list[float] = []
        self.stepper = _engine.DirectStepper(self.world)
        self.stepper.add_listener(self.times.append)
        self.stepper.add_target(POSITION, self.motor, False)
        self.stepper.add_target(VELOCITY, self.motor, True)
        self.switched: list[int] = []
        self.stays = True
        self.stepper.add_switch(SWITCH, self.switch)
        self.stepper.set_sensors(self.sensors, [self.values.append])
        self.stepper.open(steps, seconds, 0.0, 0, STEP_MS / 1000, None)

    def switch(self, value: int) -> bool:
        """Note a value."""
        self.switched.append(value)
        return self.stays

    def refuses(self, duration: int = STEP_MS, numbers: Mapping[int, float] | None = None) -> bool:
        """True when nothing happens."""
        given = dict(numbers or {})
        done = self.stepper.step(duration, given)
        return done == 0 and self.world.steps == 0 and self.times == [] and given == (numbers or {})


def test_a_step_sets_moves_and_tells() -> None:
    arm = Arm()
    numbers = {VELOCITY: 2.0, POSITION: 1.5}
    assert arm.stepper.step(STEP_MS, numbers) == 1
    assert numbers == {}, "they are taken"
    assert (arm.motor.target_position, arm.motor.target_velocity) == (1.5, 2.0)
    assert (arm.world.steps, arm.times) == (1, [pytest.approx(0.008)])
    assert arm.values == [arm.axis.position] != [0.0]
    assert arm.stepper.step(STEP_MS, {}) == 1, "without a command, too"
    assert arm.stepper.close() == (2, STEP_MS, None)
    assert (arm.sensors.lasts, arm.sensors.waits) == ([2 * STEP_MS], False)


def test_several_basic_steps_are_told_once() -> None:
    arm = Arm()
    assert arm.stepper.step(3 * STEP_MS, {}) == 1
    assert (arm.world.steps, len(arm.times), len(arm.values)) == (3, 1, 1)
    assert arm.stepper.step(3 * STEP_MS + 1, {}) == 1, "it ends with the next basic step"
    assert arm.world.steps == 7
    assert arm.stepper.step(3 * STEP_MS + 1, {}) == 0, "whoever comes late has to be told"


def test_readings_come_with_their_period() -> None:
    arm = Arm(period=3 * STEP_MS)
    for _ in range(7):
        assert arm.stepper.step(STEP_MS, {}) == 1
    assert (len(arm.times), len(arm.values)) == (7, 2)
    assert arm.stepper.close() == (7, 6 * STEP_MS, None)
    assert (arm.sensors.lasts, arm.sensors.waits) == ([6 * STEP_MS], False)


def test_switches_are_executed_when_they_change() -> None:
    arm = Arm()
    for value in (1, 1, 0, 0, 3):
        numbers = {SWITCH: value}
        assert arm.stepper.step(STEP_MS, numbers) == 1
        assert numbers == {}
    assert arm.switched == [1, 0, 3]
    arm.stepper.close()
    arm.stepper.open(100, AGES_S, 0.0, 0, STEP_MS / 1000, None)
    assert arm.stepper.step(STEP_MS, {SWITCH: 3}) == 1
    assert arm.switched == [1, 0, 3, 3], "others may have changed it meanwhile"


def test_a_switch_that_changes_the_robot_is_repeated_by_a_packet() -> None:
    arm = Arm()
    arm.stays = False
    assert arm.refuses(numbers={SWITCH: 1})
    assert arm.switched == [1]


@pytest.mark.parametrize("value", [1.0, True, 2**70, "a"])
def test_switches_take_integers_only(value: object) -> None:
    arm = Arm()
    assert arm.refuses(numbers={SWITCH: value})  # type: ignore[dict-item]
    assert arm.switched == []


def test_it_ends_with_its_steps_and_its_time() -> None:
    arm = Arm(steps=3)
    durations = [STEP_MS, 3 * STEP_MS, STEP_MS, STEP_MS, STEP_MS]
    assert [arm.stepper.step(one, {}) for one in durations] == [1, 0, 1, 1, 0], (
        "three steps are more than two"
    )
    assert Arm(seconds=0).refuses()
    arm = Arm()
    arm.stepper.close()
    assert arm.refuses()


@pytest.mark.parametrize(
    "numbers",
    [
        {9: 1.0},
        {POSITION: math.nan},
        {VELOCITY: math.inf},
        {POSITION: 1},
        {POSITION: 1.0, 9: 2.0},
        {"a": 1.0},
    ],
    ids=["other", "nan", "infinite velocity", "whole number", "one of two", "text"],
)
def test_other_commands_are_refused(numbers: dict[int, float]) -> None:
    arm = Arm()
    before = arm.motor.target_position, arm.motor.target_velocity
    assert arm.refuses(numbers=numbers)
    assert (arm.motor.target_position, arm.motor.target_velocity) == before


def test_targets_that_are_cut_are_refused() -> None:
    assert Arm().refuses(numbers={VELOCITY: 1e9})


@pytest.mark.parametrize("duration", [0, -8, 2**31, 2**63, 2**64, 8.0, True, "8", None])
def test_other_durations_are_refused(duration: int) -> None:
    assert Arm().refuses(duration)


def test_a_sensor_that_was_removed_breaks_off() -> None:
    arm = Arm()
    rays = arm.world.add_rays([(0.0, 0.0, 0.0)], [(1.0, 0.0, 0.0)], [3.0])
    distance = _engine.MeanDistance(
        rays, [1.0], 3.0, 1.0, _engine.Response([(0.0, 0.0, 0.0), (3.0, 3.0, 0.0)], -1.0)
    )
    arm.sensors.add(distance, b"", STEP_MS, 0.0)
    told: list[float] = []
    arm.stepper.set_sensors(arm.sensors, [arm.values.append, told.append])
    rays.remove()
    assert arm.stepper.step(2 * STEP_MS, {POSITION: 1.0}) == -1
    assert (arm.world.steps, arm.times, arm.values, told) == (1, [], [], [])
    assert arm.stepper.step(STEP_MS, {}) == 0, "somebody else goes on"
    assert arm.stepper.close() == (1, 0.0, 2 * STEP_MS)
    assert arm.sensors.lasts == [0.0, 0.0], "no sensor was sampled"
    arm.stepper.raise_failure()


def test_long_steps_break_off_when_the_time_is_over() -> None:
    arm = Arm(steps=10**9, seconds=0.02)
    assert arm.stepper.step(10**9, {}) == -1
    made, asked, due = arm.stepper.close()
    assert 0 < made == arm.world.steps < 10**7
    assert (asked, due) == (0.0, 1e9)
    assert (arm.sensors.lasts, arm.sensors.waits) == ([pytest.approx(made * STEP_MS)], True)
    assert arm.times == []


def test_a_step_that_fails_is_told_to_whoever_closes() -> None:
    arm = Arm()
    arm.world.add_body(_engine.Mass.sphere(1.0, 1000.0)).linear_velocity = (1e9, 0.0, 0.0)
    assert arm.stepper.step(STEP_MS, {}) == -1
    assert arm.stepper.close() == (0, 0.0, STEP_MS)
    with pytest.raises(_engine.PhysicsError, match="too fast"):
        arm.stepper.raise_failure()
    arm.stepper.raise_failure()


def test_parts_must_fit() -> None:
    arm = Arm()
    with pytest.raises(ValueError, match="number of listeners"):
        arm.stepper.set_sensors(arm.sensors, [])


def test_a_listener_may_own_the_stepper() -> None:
    class Owner:
        def listen(self, value: float) -> None:
            raise AssertionError("nobody steps")

    owner, world = Owner(), _engine.World()
    owner.stepper = _engine.DirectStepper(world)  # type: ignore[attr-defined]
    owner.stepper.add_listener(owner.listen)  # type: ignore[attr-defined]
    gone = weakref.ref(owner)
    del owner
    gc.collect()
    assert gone() is None
