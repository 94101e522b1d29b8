"""Direct steppers: targets in, steps of the world, readings out; anything unusual is refused."""

from __future__ import annotations

import gc
import math
import weakref
from collections.abc import Mapping

import pytest

from wbcore.engine import _engine

POSITION, VELOCITY = 7, 8
STEP_MS = 8
AGES_S = 100.0


class Arm:
    """A link on a hinge with a motor and a sensor, and the values that its stepper delivers."""

    def __init__(self, period: float = STEP_MS, seconds: float = AGES_S, steps: int = 100) -> None:
        self.world = _engine.World(dt=STEP_MS / 1000)
        body = self.world.add_body(_engine.Mass.sphere(1.0, 1000.0), (0.0, 0.0, 0.5))
        self.axis = self.world.add_hinge(body).axes[0]
        self.motor = self.axis.add_motor()
        self.readings = _engine.Readings()
        self.readings.add_axis(self.axis)
        self.times: list[float] = []
        self.values: list[float] = []
        self.stepper = _engine.DirectStepper(self.world)
        self.stepper.add_listener(self.times.append)
        self.stepper.add_target(POSITION, self.motor, False)
        self.stepper.add_target(VELOCITY, self.motor, True)
        self.stepper.add_readings(self.readings, period, [self.values.append])
        self.stepper.open(steps, seconds, 0.0, 0, STEP_MS / 1000, None, [0.0])

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
    assert arm.stepper.close() == (2, STEP_MS, None, [(2 * STEP_MS, False)])


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
    assert arm.stepper.close() == (7, 6 * STEP_MS, None, [(6 * STEP_MS, False)])


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


def test_rays_that_were_not_cast_break_off() -> None:
    arm = Arm()
    readings, told = _engine.Readings(), []
    rays = arm.world.add_rays([(0.0, 0.0, 0.0)], [(1.0, 0.0, 0.0)], [3.0])
    readings.add_ray(rays, [0.0, 3.0], [0.0, 3.0], [1.0])
    arm.stepper.add_readings(readings, STEP_MS, [told.append])
    arm.stepper.open(100, AGES_S, 0.0, 0, STEP_MS / 1000, None, [0.0, 0.0])
    assert arm.stepper.step(2 * STEP_MS, {POSITION: 1.0}) == -1
    assert (arm.world.steps, arm.times, arm.values, told) == (1, [], [], [])
    assert arm.stepper.step(STEP_MS, {}) == 0, "somebody else goes on"
    assert arm.stepper.close() == (1, 0.0, 2 * STEP_MS, [(STEP_MS, True), (0.0, False)])
    arm.stepper.raise_failure()


def test_long_steps_break_off_when_the_time_is_over() -> None:
    arm = Arm(steps=10**9, seconds=0.02)
    assert arm.stepper.step(10**9, {}) == -1
    made, asked, due, samples = arm.stepper.close()
    assert 0 < made == arm.world.steps < 10**7
    assert (asked, due, samples) == (0.0, 1e9, [(pytest.approx(made * STEP_MS), True)])
    assert arm.times == []


def test_a_step_that_fails_is_told_to_whoever_closes() -> None:
    arm = Arm()
    arm.world.add_body(_engine.Mass.sphere(1.0, 1000.0)).linear_velocity = (1e9, 0.0, 0.0)
    assert arm.stepper.step(STEP_MS, {}) == -1
    assert arm.stepper.close()[:3] == (0, 0.0, STEP_MS)
    with pytest.raises(_engine.PhysicsError, match="too fast"):
        arm.stepper.raise_failure()
    arm.stepper.raise_failure()


def test_parts_must_fit() -> None:
    arm = Arm()
    with pytest.raises(ValueError, match="number of listeners"):
        arm.stepper.add_readings(arm.readings, STEP_MS, [])
    with pytest.raises(ValueError, match="number of samples"):
        arm.stepper.open(1, AGES_S, 0.0, 0, STEP_MS / 1000, None, [])


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
