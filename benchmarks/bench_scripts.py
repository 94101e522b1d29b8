"""What the Python API of scripts costs: steps with many motors and sensors, inverse kinematics, batches.

Absolute figures on two cores of a cloud machine: 20 motors set and 40 sensors read cost 3 us per step over
the physics; inverse kinematics of an arm with seven joints takes 22 us.
"""

from __future__ import annotations

import time

import numpy as np

import wbridge
from benchmarks.case import Case, Reading, alternate, compare, seconds_of
from benchmarks.checkout import CHECKOUT
from wbridge.api.joints import Joints

STEPS, TURNS, ROUNDS = 50, 150, 15
MOTORS, SENSORS = 20, 40
COPIES = 128
ARM = CHECKOUT / "worlds" / "arm.wbt"
BODY = "physics Physics { density -1 mass 1 } boundingObject Box { size 0.3 0.1 0.1 }"
AXES = ("0 0 1", "0 1 0", "0 0 1", "0 -1 0", "0 0 1", "0 1 0", "0 0 1")
"""Of the joints of an arm like the LBR iiwa."""
LENGTHS = (0.34, 0.0, 0.4, 0.0, 0.4, 0.0, 0.126)


def many_joints() -> str:
    """Return a world: a robot with 20 motors, and two sensors for each."""
    parts = "".join(
        "HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 } device [ "
        f'RotationalMotor {{ name "motor {i}" }} PositionSensor {{ name "angle {i}" }} ] '
        f"endPoint Solid {{ translation 0.5 0 {i} {BODY} }} }} "
        f'DistanceSensor {{ name "distance {i}" translation 0 0 {i} lookupTable [ 0 0 0 0.1 1000 0 ] }}\n'
        for i in range(MOTORS)
    )
    return f'WorldInfo {{ basicTimeStep 8 gravity 0 }} Robot {{ name "many" children [ {parts} ] }}'


def seven_joints() -> str:
    """Return a world: an arm with seven joints."""
    inner = ""
    for i in reversed(range(len(AXES))):
        inner = (
            f"HingeJoint {{ jointParameters HingeJointParameters {{ axis {AXES[i]} anchor 0 0 {LENGTHS[i]} "
            f'}} device RotationalMotor {{ name "joint {i}" minPosition -2.9 maxPosition 2.9 }} endPoint '
            f'Solid {{ translation 0 0 {LENGTHS[i]} name "link {i}" {BODY} children [ {inner} ] }} }}'
        )
    return f'WorldInfo {{ }} Robot {{ name "arm" children [ {inner} ] }}'


class Plain:
    """An object with one attribute, in Python."""

    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value = 0.0


def overhead() -> Reading:
    """The time of a script's step without that of the physics, and that of as many attributes of objects.

    Of short turns the fastest are compared: a difference of turns that others have disturbed says nothing.
    """
    sim = wbridge.from_text(many_joints())
    robot = sim.robot()
    motors = list(robot.motors.values())
    sensors = [robot.sensor(name) for name in robot.sensors if name.startswith(("angle", "distance"))]
    assert len(sensors) == SENSORS
    engine = sim.stepper.engine
    plain = [Plain() for _ in range(SENSORS)]

    def script() -> float:
        start = time.perf_counter()
        for _ in range(STEPS):
            for motor in motors:
                motor.velocity = 0.1
            sim.step()
            [sensor.value for sensor in sensors]
        return time.perf_counter() - start

    def physics() -> float:
        start = time.perf_counter()
        for _ in range(STEPS):
            engine.step()
        return time.perf_counter() - start

    def attributes() -> float:
        start = time.perf_counter()
        for _ in range(STEPS):
            for item in plain[:MOTORS]:
                item.value = 0.1
            [item.value for item in plain]
        return time.perf_counter() - start

    script(), physics(), attributes()
    turns = [(script(), physics(), attributes()) for _ in range(TURNS)]
    whole, alone, plainly = (min(costs) / (1e-6 * STEPS) for costs in zip(*turns, strict=True))
    return compare(whole - alone, plainly)


def kinematics() -> Reading:
    """Inverse kinematics of an arm with seven joints to random poses, and ten linear systems in NumPy."""
    joints: Joints = wbridge.from_text(seven_joints()).robot().joints
    rng = np.random.default_rng(1)
    goals = [joints.pose(positions=rng.uniform(-2, 2, len(joints))) for _ in range(50)]
    matrix, right = np.eye(6) + 0.1 * rng.uniform(size=(6, 6)), rng.uniform(size=6)

    def solve() -> None:
        for goal in goals:
            joints.inverse_kinematics(goal[:3, 3], goal[:3, :3], start=0.3)

    def systems() -> None:
        for _ in range(10 * len(goals)):
            np.linalg.solve(matrix, right)

    return alternate(seconds_of(solve), seconds_of(systems), ROUNDS, 1e-6 * len(goals))


def batch() -> Reading:
    """Steps of many arms with targets and sensors, and their physics alone."""
    batch = wbridge.load_many(ARM, COPIES)
    arms = batch.robot()
    for name in ("base sensor", "shoulder sensor", "elbow sensor"):
        arms.enable(name)
    targets = np.random.default_rng(1).uniform(-1, 1, (COPIES, 3))
    batch.step()
    batch.step()
    engines = [simulation.stepper.engine for simulation in batch]

    def script() -> None:
        for _ in range(10):
            arms.velocity = targets
            batch.step()

    def physics() -> None:
        for _ in range(10):
            for engine in engines:
                engine.step()

    return alternate(seconds_of(script), seconds_of(physics), ROUNDS, 1e-6 * 10 * COPIES)


def cases() -> list[Case]:
    """The cases with their limits."""
    names = "as many attributes of Python objects"
    return [
        Case("scripts: 20 motors and 40 sensors", overhead, 5.0, "us", names),
        Case("scripts: inverse kinematics", kinematics, 1.5, "us", "ten linear systems in NumPy"),
        Case("scripts: batch of 128 arms", batch, 1.5, "us", "their physics alone"),
    ]
