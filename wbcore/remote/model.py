"""Simulate a robot in parallel to the real one: by the same commands, or following its encoders."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

from wbridge.hal.link.numbering import LinkChannel, Numbering
from wbridge.wbcore.bridge.simulated_robot import SimulatedRobot
from wbridge.wbcore.devices.motor import Motor
from wbridge.wbcore.remote.real_step import RealStep
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.simulation import PluginOptions, Simulation

_LOG = logging.getLogger(__name__)
SLACK_MS = 1e-6
GAIN = 10.0
"""Gain (1/s) of motors that follow encoders; encoders have discrete counts, and fast jumps would make wheels
slip."""


class Encoders:
    """Makes motors of a simulated robot follow the encoders of a real one."""

    def __init__(self, robot: Robot, gain: float | None = None) -> None:
        """
        Args:
            robot: the simulated robot.
            gain: P gain of the motors, 1/s; None: unchanged.
        """
        self.motors = _encoders(robot)
        """Motors by the tag of their encoder."""
        self._gain = gain
        self._offsets: dict[int, float] = {}

    def follow(self, step: RealStep) -> None:
        """Move to the encoder positions of a step, relative to the initial positions of motor and encoder."""
        for tag, name, value in step.readings:
            if name != "position" or tag not in self.motors:
                continue
            motor, position = self.motors[tag].engine, float(value)
            offset = self._offsets.setdefault(tag, motor.position - position)
            if self._gain is not None:
                motor.set_pid(self._gain, 0.0, 0.0)
            motor.set_velocity(motor.max_velocity)
            motor.set_position((offset + position) / motor.multiplier)


class Model:
    """A simulation whose robot moves along with a real one."""

    def __init__(self, world: World, node: Node, follows: bool) -> None:
        """
        Args:
            world: the robot's world.
            node: the robot's built-in node.
            follows: its motors follow the real robot's encoders; False: its commands.

        Raises:
            WorldError: the world cannot be simulated.
        """
        self.simulation = Simulation(world, plugin=PluginOptions(is_wanted=False))
        robot = self.simulation.robots.of(node)
        assert robot is not None, "the robot is in this world"
        self.robot: Robot = robot
        self.side = SimulatedRobot(robot, waits=False)
        self.numbering: Numbering = self.side.numbering
        self._encoders = Encoders(robot, GAIN) if follows else None
        self._left_ms = 0.0

    def step(self, step: RealStep) -> list[tuple[LinkChannel, Any]]:
        """Simulate one step; return the readings of the model's sensors."""
        for tag, function, period in step.periods:
            slot = self.numbering.slot(tag, function)
            if slot is not None:
                self.side.set_period(slot, period)
        motors = self._encoders.motors if self._encoders is not None else {}
        followed = {motor.tag for motor in motors.values()}
        for tag, name, value in step.commands:
            channel = self.numbering.channel(tag, name)
            if channel is not None and tag not in followed:
                self.side.set(channel, value)
        if self._encoders is not None:
            self._encoders.follow(step)
        return self._simulate(step.elapsed)

    def _simulate(self, elapsed: float) -> list[tuple[LinkChannel, Any]]:
        step_ms = 1000 * self.simulation.step_s
        self._left_ms += elapsed
        while self._left_ms >= step_ms - SLACK_MS:
            self._left_ms -= step_ms
            self.simulation.step()
            self.robot.sample(self.simulation.time_ms)
        return list(self.side.events())

    @property
    def pose(self) -> Iterable[float]:
        """(7,) m and unit quaternion (w, x, y, z): pose of the model in its world."""
        place = self.simulation.physics.pose(self.robot.node)
        return (*place.position, *place.orientation)


def _encoders(robot: Robot) -> dict[int, Motor]:
    """Return the motors that have an encoder, by the tag of the encoder."""
    found: dict[int, Motor] = {}
    for device in robot.devices:
        tag = int(device.entry.constants.get("motor", 0)) if device.entry.type == "PositionSensor" else 0
        motor = robot.devices[tag - 1] if tag else None
        if isinstance(motor, Motor):
            found[device.tag] = motor
    if not found:
        _LOG.warning(
            'warning: robot "%s" has no encoders (PositionSensor) for the model to follow', robot.name
        )
    return found
