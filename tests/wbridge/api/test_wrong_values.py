"""Wrong values from scripts: each message names the place, what was passed and what is allowed."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import numpy as np
import pytest

import wbridge
from tests.wbridge.api.worlds import CHECKOUT, TWO_WHEELS

ARM = CHECKOUT / "worlds" / "arm.wbt"
WRONG: tuple[object, ...] = ("fast", None, {}, 1j, b"x", float("nan"), np.zeros((2, 2, 2)))
MOTOR = 'motor "left wheel motor": '


@pytest.fixture
def sim() -> Iterator[wbridge.Simulation]:
    with wbridge.load(TWO_WHEELS, controllers="none") as simulation:
        yield simulation


def setters(owner: object) -> list[str]:
    """The attributes that can be set: properties, and those of the engine."""
    members = inspect.getmembers(type(owner))
    names = [name for name, member in members if isinstance(member, property) and member.fset]
    return names + [name for name, member in members if inspect.isgetsetdescriptor(member) and name[0] != "_"]


def test_every_setter_refuses_what_is_no_number_by_name(sim: wbridge.Simulation):
    robot = sim.robot()
    arms = wbridge.load_many(ARM, 2)
    owners: list[object] = [robot.motor("left wheel motor"), robot.motors, robot.joints, arms.robot()]
    owners += [robot.sensor("front"), wbridge.load(ARM).robot().motor("elbow motor")]
    tried = 0
    for owner in owners:
        for name in set(setters(owner)) - {"force", "value"}:
            for wrong in WRONG:
                with pytest.raises((TypeError, ValueError)) as problem:
                    setattr(owner, name, wrong)
                assert re.search(r"must be|expected", str(problem.value)), (owner, name, wrong)
                tried += 1
    assert tried > 100


@pytest.mark.parametrize("name", ["position", "velocity", "torque", "speed", "acceleration", "pid"])
def test_messages_name_the_motor_the_value_and_what_is_allowed(sim: wbridge.Simulation, name: str):
    motor = sim.robot().motor("left wheel motor")
    with pytest.raises(TypeError, match=f"^{MOTOR}{name}:? (must be|expected) .*, not 'fast'$"):
        setattr(motor, name, "fast")


def test_gains_are_three_numbers(sim: wbridge.Simulation):
    motor = sim.robot().motor("left wheel motor")
    motor.pid = (8, 0.5, 0.1)
    assert motor.pid == (8, 0.5, 0.1)
    wrong: object
    for wrong in ((1, 2), (1, 2, 3, 4), (1, "x", 0), (1, -1, 0), 5):
        with pytest.raises((TypeError, ValueError), match=f"^{MOTOR}pid(: expected| must be 3) numbers"):
            setattr(motor, "pid", wrong)  # noqa: B010 (its type is wrong, too)
    assert motor.pid == (8, 0.5, 0.1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("sim.step('a')", "step must be a multiple of the basic time step of 16 ms, not 'a'"),
        ("sim.run('x')", "duration must be 0 or more seconds, not 'x'"),
        ("sim.reset('s')", "seed must be a whole number, not 's'"),
        ("sim.reset(1.5)", "seed must be a whole number, not 1.5"),
        ("sim.view('x')", "duration must be 0 or more seconds, not 'x'"),
        ("sim.view(0, -1)", "height must be 1 or more pixels, not -1"),
        ("sim.cast_rays([0, 0, 0], 'x')", "'x'"),
        ("sim.robot().joints.inverse_kinematics('x')", "position: expected numbers, not 'x'"),
        ("sim.robot(3)", 'has no robot "3"'),
        ("sim.robot().motor(3)", 'has no motor "3"'),
        ("sim[3]", 'expected a place such as "WorldInfo.gravity", not 3'),
        ("sim.node(3)", 'expected a place such as "WorldInfo", not 3'),
        ("sim.__setitem__('WorldInfo.gravity', None)", "WorldInfo.gravity: expected a number, not None"),
        ("sim.robot().sensor('front', 'x')", "period must be whole milliseconds, 0 or more, not 'x'"),
        (
            "sim.robot().sensor('front', float('inf'))",
            "whole milliseconds, 0 or more, not inf",
        ),
        ("wbridge.load(TWO_WHEELS, seed='x')", "seed must be a whole number, not 'x'"),
        ("wbridge.load_many(TWO_WHEELS, 'x')", "count must be a whole number, not 'x'"),
        ("wbridge.load_many(TWO_WHEELS, 2, threads=0)", "threads must be 1 or more, not 0"),
        ("wbridge.from_text(3)", "expected the text of a world, not 3"),
    ],
)
def test_arguments_that_are_not_possible(sim: wbridge.Simulation, call: str, message: str):
    with pytest.raises((TypeError, ValueError, KeyError)) as problem:
        eval(call, {"sim": sim, "wbridge": wbridge, "TWO_WHEELS": TWO_WHEELS})
    assert message in str(problem.value)


CLOSED = (
    "sim.step()",
    "sim.run(1)",
    "sim.reset()",
    "sim.save()",
    "sim.load(state)",
    "sim.__setitem__('WorldInfo.gravity', 3)",
    "sim.contacts()",
    "sim.cast_rays([0, 0, 1], [0, 0, -1])",
    "sim.picture()",
    "sim.view()",
    "sim.record('run.html')",
    "sim.core",
    "setattr(motor, 'velocity', 3)",
    "setattr(motor, 'position', 3)",
    "setattr(motor, 'speed', 3)",
    "setattr(robot.motors, 'velocity', 3)",
    "setattr(robot.joints, 'positions', 0)",
    "robot.command('status', 'set', 1)",
    "robot.set_led('status', 1)",
    "robot.add_force([0, 0, 1])",
    "robot.set_velocity([0, 0, 1])",
)


@pytest.mark.parametrize("call", CLOSED)
def test_a_closed_simulation_refuses_whatever_changes_it(sim: wbridge.Simulation, call: str):
    robot = sim.robot()
    motor, front, state = robot.motor("left wheel motor"), robot.sensor("front"), sim.save()
    sim.run(0.1)
    sim.close()
    sim.close()
    before = sim.time, front.value, robot.position.tolist(), motor.velocity
    names = {"sim": sim, "robot": robot, "motor": motor, "state": state}
    with pytest.raises(RuntimeError, match=r"two_wheels.wbt: the simulation is closed; load the world again"):
        eval(call, names)
    assert before == (sim.time, front.value, robot.position.tolist(), motor.velocity)


def test_closed_copies_refuse_steps_and_targets():
    batch = wbridge.load_many(ARM, 2)
    arms = batch.robot()
    batch.run(0.1)
    batch.close()
    for call in (batch.step, batch.reset, batch.save, lambda: setattr(arms, "velocity", 1)):
        with pytest.raises(RuntimeError, match=r"arm.wbt: the simulation is closed"):
            call()
