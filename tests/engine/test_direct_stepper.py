"""Direct steps: targets in, steps of the world, values out; anything unusual is refused."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from wbridge.wbcore.engine import _engine

POSITION, VELOCITY, SWITCH = 7, 8, 10
HEAD = b"\x05\x00\x32"
"""Tag 5 and code 50."""
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
        self.sensors.add(_engine.JointPosition(self.axis, 0.0, -1.0), HEAD, period, 0.0)
        self.times: list[float] = []
        self.values: list[float] = []
        self.stepper = _engine.DirectStepper(self.world)
        self.stepper.add_target(POSITION, self.motor, False)
        self.stepper.add_target(VELOCITY, self.motor, True)
        self.switched: list[int] = []
        self.stays = True
        self.stepper.add_switch(SWITCH, self.switch)
        self.stepper.set_sensors(self.sensors)
        self.free = steps, seconds
        self.round = _engine.DirectRound(self.world, {}, self, lambda state: None, lambda: None)
        process = _engine.ProcessFields(None, None, None, None, None)
        self.round.add(self.stepper, self.go_on, lambda: None, process, "arm", "arm", "link")
        self.work: Callable[[], object] = list
        self.round.open(0.0, 0, STEP_MS / 1000, [None])

    def go_on(self) -> None:
        """It is the controller's turn."""
        self.work()

    def steps(self, *durations: int, numbers: dict[int, float] | None = None) -> list[int]:
        """Let the controller make steps in a round."""
        results: list[int] = []
        changes = sorted((numbers or {}).items())

        def work() -> None:
            for one in durations:
                results.append(self.stepper.step(one, changes))
                changes.clear()
                if results[-1] == 1:
                    self.take()

        self.work = work
        self.round.run(*self.free)
        return results

    def take(self) -> None:
        """Take the answer."""
        time, samples = self.stepper.answer
        self.times.append(time)
        for tag, code, (value,) in samples:
            assert (tag, code) == (5, 50)
            self.values.append(value)

    def switch(self, value: int) -> bool:
        """Note a value."""
        self.switched.append(value)
        return self.stays

    def refuses(self, duration: int = STEP_MS, numbers: dict[int, float] | None = None) -> bool:
        """True when nothing happens."""
        return self.steps(duration, numbers=numbers) == [0] and self.world.steps == 0 and self.times == []


def test_a_step_sets_moves_and_tells() -> None:
    arm = Arm()
    assert arm.steps(STEP_MS, numbers={VELOCITY: 2.0, POSITION: 1.5}) == [1]
    assert (arm.motor.target_position, arm.motor.target_velocity) == (1.5, 2.0)
    assert (arm.world.steps, arm.times) == (1, [pytest.approx(0.008)])
    assert arm.values == [arm.axis.position] != [0.0]
    arm = Arm()
    assert arm.steps(STEP_MS, STEP_MS) == [1, 1], "without a command, too"
    assert arm.round.close() == [(STEP_MS, None, 2 * STEP_MS)]
    assert (arm.sensors.lasts, arm.sensors.waits) == ([2 * STEP_MS], False)


def test_several_basic_steps_are_told_once() -> None:
    arm = Arm()
    late = 3 * STEP_MS + 1
    assert arm.steps(3 * STEP_MS, late, late) == [1, 1, 0], "whoever comes late has to be told"
    assert (arm.world.steps, len(arm.times), len(arm.values)) == (7, 2, 2), "to the next basic step"


def test_readings_come_with_their_period() -> None:
    arm = Arm(period=3 * STEP_MS)
    assert arm.steps(*[STEP_MS] * 7) == [1] * 7
    assert (len(arm.times), len(arm.values), arm.round.made) == (7, 2, 7)
    assert arm.round.close() == [(6 * STEP_MS, None, 7 * STEP_MS)]
    assert (arm.sensors.lasts, arm.sensors.waits) == ([6 * STEP_MS], False)


def test_switches_are_executed_when_they_change() -> None:
    arm = Arm()

    def work() -> None:
        for value in (1, 1, 0, 0, 3):
            assert arm.stepper.step(STEP_MS, [(SWITCH, value)]) == 1

    arm.work = work
    arm.round.run(*arm.free)
    assert arm.switched == [1, 0, 3]
    arm.round.close()
    arm.round.open(0.0, 0, STEP_MS / 1000, [None])
    assert arm.steps(STEP_MS, numbers={SWITCH: 3}) == [1]
    assert arm.switched == [1, 0, 3, 3], "others may have changed it meanwhile"


def test_a_switch_that_changes_the_robot_is_repeated_by_a_packet() -> None:
    arm = Arm()
    arm.stays = False
    assert arm.refuses(numbers={SWITCH: 1})
    assert arm.switched == [1]


@pytest.mark.parametrize(("steps", "seconds"), [(2, AGES_S), (100, 0.0)], ids=["steps", "time"])
def test_it_pauses_when_steps_or_time_are_over(steps: int, seconds: float) -> None:
    arm = Arm(steps=steps, seconds=seconds)
    made = 2 if seconds else 0
    assert arm.steps(3 * STEP_MS, STEP_MS) == [-1, 0], "others make the rest of the first"
    assert (arm.round.running, arm.round.made, arm.round.is_broken_off) == (-1, made, False)
    assert (arm.world.steps, arm.times) == (made, [])
    arm.work = list
    arm.round.run(100, AGES_S)
    arm.take()
    assert arm.world.steps == 3
    assert (arm.times, arm.values) == ([pytest.approx(0.024)], [arm.axis.position])
    assert arm.round.close() == [(0, None, 3 * STEP_MS)]
    assert arm.stepper.step(STEP_MS, []) == 0, "the round has ended"


@pytest.mark.parametrize(
    "numbers",
    [
        {9: 1.0},
        {POSITION: math.nan},
        {VELOCITY: math.inf},
        {POSITION: 1.0, 9: 2.0},
    ],
    ids=["other", "nan", "infinite velocity", "one of two"],
)
def test_other_commands_are_refused(numbers: dict[int, float]) -> None:
    arm = Arm()
    before = arm.motor.target_position, arm.motor.target_velocity
    assert arm.refuses(numbers=numbers)
    assert (arm.motor.target_position, arm.motor.target_velocity) == before
    assert arm.round.close() == [(None, None, None)]


def test_targets_that_are_cut_are_refused() -> None:
    assert Arm().refuses(numbers={VELOCITY: 1e9})


@pytest.mark.parametrize("duration", [0, -8])
def test_other_durations_are_refused(duration: int) -> None:
    assert Arm().refuses(duration)


def test_a_sensor_that_was_removed_breaks_off() -> None:
    arm = Arm()
    rays = arm.world.add_rays([(0.0, 0.0, 0.0)], [(1.0, 0.0, 0.0)], [3.0])
    distance = _engine.MeanDistance(
        rays, [1.0], 3.0, 1.0, _engine.Response([(0.0, 0.0, 0.0), (3.0, 3.0, 0.0)], -1.0)
    )
    arm.sensors.add(distance, HEAD, STEP_MS, 0.0)
    arm.stepper.set_sensors(arm.sensors)
    rays.remove()
    assert arm.steps(2 * STEP_MS, STEP_MS, numbers={POSITION: 1.0}) == [-1, 0], "somebody else goes on"
    assert (arm.world.steps, arm.times, arm.values) == (1, [], [])
    assert (arm.round.running, arm.round.is_broken_off) == (-1, True)
    assert arm.round.close() == [(0.0, 2 * STEP_MS, None)]
    assert arm.sensors.lasts == [0.0, 0.0], "no sensor was sampled"
    arm.round.raise_failure()


def test_long_steps_pause_when_the_time_is_over() -> None:
    arm = Arm(steps=10**9, seconds=0.02)
    assert arm.steps(2**31 - 1) == [-1]
    made = arm.round.made
    assert 0 < made == arm.world.steps < 10**7
    assert arm.round.close() == [(0.0, 2**31 - 1, None)]
    assert (arm.sensors.lasts, arm.sensors.waits) == ([pytest.approx(made * STEP_MS)], True)
    assert arm.times == []


def test_a_step_that_fails_is_told_to_whoever_closes() -> None:
    arm = Arm()
    arm.world.add_body(_engine.Mass.sphere(1.0, 1000.0)).linear_velocity = (1e9, 0.0, 0.0)
    assert arm.steps(STEP_MS) == [-1]
    assert arm.round.is_broken_off
    assert arm.round.close() == [(0.0, STEP_MS, None)]
    with pytest.raises(_engine.PhysicsError, match="too fast"):
        arm.round.raise_failure()
    arm.round.raise_failure()


def test_shared_steps_are_made_by_others() -> None:
    arm = Arm()
    arm.stepper.share(0.0, 0, STEP_MS / 1000, None)
    assert arm.stepper.begun() is None
    assert [arm.stepper.step(STEP_MS, [(POSITION, 1.0)]), arm.stepper.step(STEP_MS, [])] == [-1, 0]
    assert (arm.motor.target_position, arm.world.steps) == (1.0, 0)
    assert [arm.stepper.begun(), arm.stepper.begun()] == [(0.0, STEP_MS), None]
    arm.world.step(1)
    arm.sensors.sample(STEP_MS)
    arm.stepper.tell()
    arm.take()
    assert (arm.times, arm.values) == ([pytest.approx(0.008)], [arm.axis.position])


def test_parts_must_fit() -> None:
    arm = Arm()
    with pytest.raises(ValueError, match="number of times"):
        arm.round.open(0.0, 0, STEP_MS / 1000, [])
