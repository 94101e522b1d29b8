"""Robots on a floor, driven without controllers: the engine's motors by the names of their nodes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.protos.models import load
from wbridge.wbcore.engine import _engine
from wbridge.wbcore.scene.node import Node, walk
from wbridge.wbcore.simulation import Simulation

FLOOR = """
Solid {
  children [
    DEF FLOOR Shape {
      geometry Plane {
        size 40 40
      }
    }
  ]
  name "floor"
  boundingObject USE FLOOR
}
"""


class Bench:
    """A simulated world with one robot, and its motors."""

    def __init__(self, simulation: Simulation, robot: Node) -> None:
        self.simulation = simulation
        self.robot = robot
        handles = simulation.physics.handles
        self.motors: Mapping[str, _engine.Motor] = {
            str(node.get("name")): motor for node, motor in handles.motors.items()
        }

    @property
    def place(self) -> NDArray[np.float64]:
        """Place of the robot's origin in m."""
        return self.simulation.node("ROBOT").translation

    @property
    def turned(self) -> NDArray[np.float64]:
        """Orientation of the robot, a matrix."""
        return self.simulation.node("ROBOT").pose[:3, :3]

    @property
    def tilt(self) -> float:
        """Angle in rad between the robot's z and the world's."""
        return math.acos(min(1.0, float(self.turned[2, 2])))

    @property
    def yaw(self) -> float:
        """Heading in rad."""
        return math.atan2(self.turned[1, 0], self.turned[0, 0])

    @property
    def mass(self) -> float:
        """Mass of all bodies in kg."""
        plans = self.simulation.physics.handles.bodies
        return sum(plan.mass.mass for plan in plans if plan.mass is not None)

    def drive(self, **speeds: float) -> None:
        """Turn motors at these speeds in rad/s; underscores stand for blanks."""
        self.spin({name.replace("_", " "): speed for name, speed in speeds.items()})

    def spin(self, speeds: Mapping[str, float]) -> None:
        """Turn motors at these speeds in rad/s."""
        for name, speed in speeds.items():
            self.motors[name].set_position(math.inf)
            self.motors[name].set_velocity(speed)

    def move(self, targets: Mapping[str, float]) -> None:
        """Give motors new target positions in rad or m."""
        for name, target in targets.items():
            self.motors[name].set_position(target)

    def run(self, seconds: float) -> None:
        """Simulate."""
        self.simulation.run(seconds)

    def turning(self, seconds: float) -> float:
        """Simulate; returns the angle in rad that the robot turned, more than a full turn included."""
        total, before = 0.0, self.yaw
        for _ in range(round(seconds / 0.1)):
            self.run(0.1)
            total += math.remainder(self.yaw - before, 2 * math.pi)
            before = self.yaw
        return total


@contextmanager
def bench(body: str, info: str = "basicTimeStep 16", floor: str = FLOOR) -> Iterator[Bench]:
    """A robot on a level floor.

    Args:
        body: text of the robot's node.
        info: fields of the WorldInfo.
        floor: text of the nodes below it.
    """
    world = load(f"WorldInfo {{\n  {info}\n}}\n{floor}\nDEF ROBOT {body}\n")
    assert list(world.report) == []
    with Simulation(world) as simulation:
        yield Bench(simulation, next(one for one in walk(world.nodes[-1].root) if one.is_a("Robot")))


def play(one: Bench, path: Path) -> None:
    """Play a motion file: straight lines between its poses, as wbu_motion does."""
    lines = [line.split(",") for line in path.read_text(encoding="utf-8").split()]
    names = lines[0][2:]
    times = [_seconds(line[0]) for line in lines[1:]]
    poses = np.array([[float(value) for value in line[2:]] for line in lines[1:]])
    for step in range(math.ceil(times[-1] / one.simulation.step_s) + 1):
        now = step * one.simulation.step_s
        one.move({name: float(np.interp(now, times, poses[:, k])) for k, name in enumerate(names)})
        one.simulation.step()


def _seconds(stamp: str) -> float:
    minutes, seconds, milliseconds = map(int, stamp.split(":"))
    return 60 * minutes + seconds + milliseconds / 1000
