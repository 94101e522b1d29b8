"""Robots that creep: over the robot link they stay awake as in a simulation alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import repeat
from pathlib import Path

import pytest

from tests.bridge.conftest import Serving
from tests.bridge.test_bridge import ENCODER, MOTOR, command, sample, spin, step, wait_for
from tests.wbridge.test_remote import bridge, rows_of
from wbridge.main import main
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation

STEP_MS, STEPS = 8, 40
SLEEPS_S = 0.08
"""After so much time at rest: ten steps."""
SLOW = 0.005
"""rad/s; what is below 0.01 counts as rest."""
WORLD = f"""#VRML_SIM R2025a utf8
WorldInfo {{ basicTimeStep {STEP_MS} gravity 0 physicsDisableTime {SLEEPS_S} }}
Robot {{
  name "rover"
  children [
    HingeJoint {{
      jointParameters HingeJointParameters {{ axis 0 0 1 }}
      device [ RotationalMotor {{ name "motor" maxVelocity 20 }} PositionSensor {{ name "encoder" }} ]
      endPoint Solid {{ name "wheel" boundingObject Sphere {{ radius 0.1 }} physics Physics {{ }} }}
    }}
  ]
  physics Physics {{ }}
  boundingObject Box {{ size 1 1 0.1 }}
}}
"""
Serve = Callable[..., Serving]
CREEPS = f"""from controller import Robot

robot = Robot()
motor, encoder = robot.getDevice("motor"), robot.getDevice("encoder")
encoder.enable({STEP_MS})
motor.setPosition(float("inf"))
k = 0
while robot.step({STEP_MS}) != -1:
    k += 1
    if not 20 < k < 60:
        motor.setVelocity({SLOW})
"""
"""Repeats its command, is silent for a while, and repeats it again."""


class Trace:
    """What a run was like, step by step: the encoder, and the hash over the bits of the world."""

    def __init__(self) -> None:
        self.positions: list[float] = []
        self.hashes: list[str] = []

    def __eq__(self, other: object) -> bool:
        assert isinstance(other, Trace)
        return self.positions == other.positions and self.hashes == other.hashes


def alone(says: Iterator[bool]) -> Trace:
    """The simulation with a controller inside, which says its command in some steps."""
    simulation, trace = Simulation(load_text(WORLD)), Trace()
    motor = simulation.robots.find("rover").devices[MOTOR - 1]  # type: ignore[union-attr]
    motor.on_set_position(float("inf"))
    for _, is_said in zip(range(STEPS), says, strict=False):
        if is_said:
            motor.on_set_velocity(SLOW)
        simulation.step()
        trace.positions.append(motor.engine.position)
        trace.hashes.append(simulation.hash())
    return trace


def bridged(serving: Serving, says: Iterator[bool]) -> Trace:
    """The same over the robot link."""
    trace, master = Trace(), serving.drive()
    sample(master, ENCODER, "wb_position_sensor_enable", STEP_MS)
    spin(master, SLOW)
    for _, is_said in zip(range(STEPS), says, strict=False):
        if is_said:
            command(master, MOTOR, "velocity", SLOW)
        trace.positions.append(float(step(master, STEP_MS)["encoder.position"]))  # type: ignore[arg-type]
        trace.hashes.append(serving.simulation.hash())
    return trace


@pytest.fixture
def serving(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Serving]:
    """Serves the world of these tests."""
    monkeypatch.setattr("tests.bridge.conftest.HEAD", "")
    return lambda **more: serve(WORLD, **more)


def test_who_repeats_its_command_keeps_the_robot_awake(serving: Callable[..., Serving]):
    trace = bridged(serving(), repeat(True))
    assert trace == alone(repeat(True))
    assert trace.positions[-1] == pytest.approx(SLOW * STEPS * STEP_MS / 1000, rel=1e-6)


def test_a_command_that_is_given_once_keeps_it_awake_too(serving: Callable[..., Serving]):
    """A driven robot is not at rest, however slow it is."""
    trace = bridged(serving(), iter([True, *(False,) * STEPS]))
    assert trace == alone(iter([True, *(False,) * STEPS]))
    assert trace.positions[-1] == pytest.approx(SLOW * STEPS * STEP_MS / 1000, rel=1e-6)


def test_in_real_time_it_is_awake_as_long_as_it_is_led(serving: Callable[..., Serving]):
    """Only changes go over the link there, as to a real robot."""
    served = serving(speed=1.0)
    master = served.drive()
    motor = served.simulation.robots.find("rover").devices[MOTOR - 1].engine  # type: ignore[union-attr]
    spin(master, SLOW)
    step(master, STEP_MS)
    begin = motor.position
    far = SLOW * 5 * SLEEPS_S

    def has_gone_on() -> bool:
        step(master, STEP_MS)
        return motor.position - begin > far

    wait_for(has_gone_on)


def test_an_unchanged_controller_leaves_the_same_trace(tmp_path: Path):
    """Poses, commands and readings of each step: in simulation, and over the wire."""
    (tmp_path / "controllers" / "creeps").mkdir(parents=True)
    (tmp_path / "controllers" / "creeps" / "creeps.py").write_text(CREEPS)
    world = tmp_path / "worlds" / "rest.wbt"
    world.parent.mkdir()
    world.write_text(WORLD.replace('name "rover"', 'name "rover" controller "creeps"'))
    alone, target = tmp_path / "alone.csv", tmp_path / "bridged.csv"
    time = ["--quiet", "--duration", "0.8"]
    assert main(["run", str(world), *time, "--record", str(alone)]) == 0
    with bridge("tcp://127.0.0.1", "--mode", "steps", "--record", str(target), world=world) as url:
        assert main(["remote", str(world), *time, "--url", url]) == 0
    simulated = rows_of(alone)
    assert rows_of(target)[: len(simulated)] == simulated
    positions = [row[simulated[0].index("rover/encoder.value")] for row in simulated[1:]]
    moved = [one != other for one, other in zip(positions[1:], positions[2:], strict=False)]
    assert (moved[5], moved[50], moved[70]) == (True, True, True)
