"""Simulated robots that move along with the real robots driven by their controllers.

A controller that has called `wb_robot_set_mode` reports each step (see `wbridge.hal.gateway.trace`). The
report of one step reaches the simulated robot before the next step.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from wbridge.hal.link.numbering import LinkChannel, Numbering
from wbridge.wbcore.bridge.channel_commands import commands_of, function_name
from wbridge.wbcore.bridge.simulated_robot import carry_out
from wbridge.wbcore.devices import Device
from wbridge.wbcore.devices.sensor import Sensor
from wbridge.wbcore.remote.gap_record import names_of, numbers_of
from wbridge.wbcore.remote.model import Encoders
from wbridge.wbcore.remote.real_step import RealStep
from wbridge.wbcore.remote.trace_receiver import TraceReceiver
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.device_tables import device_table
from wbridge.wbcore.simulation import Simulation

TRACE, MIRROR = "WBRIDGE_REMOTE_TRACE", "WBRIDGE_REMOTE_MIRROR"


class FollowingRobot:
    """One robot of a run: applies the steps of its controller with the real robot to the simulated one."""

    def __init__(self, world: World, node: Node, mirrors: bool) -> None:
        """
        Args:
            world: the robot's world.
            node: the robot's built-in node.
            mirrors: its motors follow the real encoders; False: it receives the same commands.
        """
        self.name, self._mirrors = str(node.get("name")), mirrors
        self._numbering = Numbering(device_table(node, world))
        self._simulation: Callable[[], Simulation] | None = None
        self._robot: Robot | None = None
        """The simulated robot, if it has the devices declared in the world file."""
        self._encoders: Encoders | None = None
        self.columns: list[str] = []
        """Columns of a recording: readings of the real robot, as "real ROBOT/DEVICE.CHANNEL"."""
        self.values: list[float] = []
        self._places: dict[int, tuple[int, int]] = {}
        for channel in self._numbering.channels:
            if channel.direction == "sense" and channel.tag:
                made = [f"real {self.name}/{name}" for name in names_of(channel)]
                self._places[channel.number] = len(self.columns), len(made)
                self.columns += made
        self.values = [math.nan] * len(self.columns)

    def join(self, simulation: Callable[[], Simulation]) -> None:
        """Join a run; `simulation` returns its current simulation."""
        self._simulation = simulation

    def take(self, step: RealStep) -> None:
        """Record a step of the real robot and apply it to the simulated one."""
        for tag, name, value in step.readings:
            self._note(self._numbering.channel(tag, name), value)
        robot = self._simulation().robots.find(self.name) if self._simulation is not None else None
        if robot is None or not robot.is_remote or not self._knows(robot):
            return
        followed: set[int] = set()
        if self._mirrors:
            self._encoders = self._encoders or Encoders(robot)
            followed = {motor.tag for motor in self._encoders.motors.values()}
            self._encoders.follow(step)
        for tag, name, value in step.commands:
            for command, values in self._commands(robot, tag, name, value):
                self._do(robot, tag, command, values, moves=tag not in followed)
        self._sample(robot, step)

    def _knows(self, robot: Robot) -> bool:
        """Return True for a robot with the devices that the controller was started with."""
        if robot is not self._robot:
            if robot.table.hash != self._numbering.table.hash:
                return False
            self._robot, self._encoders = robot, None
        return True

    def _commands(
        self, robot: Robot, tag: int, name: str, value: object
    ) -> Iterator[tuple[str, tuple[object, ...]]]:
        device = _device(robot, tag)
        if device is not None and self._numbering.channel(tag, name) is not None:
            yield from commands_of(device, name, value)

    def _do(self, robot: Robot, tag: int, command: str, values: tuple[object, ...], moves: bool) -> None:
        """Execute a command, or only pass it to listeners such as recordings."""
        if moves:
            carry_out(robot, _device(robot, tag), command, values)
        elif robot.observer is not None:
            robot.observer(tag, command, values)

    def _note(self, channel: LinkChannel | None, value: object) -> None:
        place = self._places.get(channel.number) if channel is not None else None
        if place is not None:
            at, size = place
            numbers = numbers_of(value)
            if len(numbers) == size:
                self.values[at : at + size] = numbers

    def _sample(self, robot: Robot, step: RealStep) -> None:
        """Measure for recordings: the controller itself reads only the real robot's values."""
        now = robot.simulation.time_ms
        if robot.observer is None:
            return
        for tag, function, period in step.periods:
            if function_name(function) == "enable":
                carry_out(robot, _device(robot, tag), "enable", (int(period),))
        for device in robot.devices:
            if isinstance(device, Sensor) and device.sampling.is_due(now):
                values = measured(device, device.sampling.take(now))
                if values is not None:
                    robot.observer(device.tag, device.MESSAGE, values)


class SimulatedTwin(FollowingRobot):
    """A robot that follows the steps which its controller's process reports."""

    def __init__(self, world: World, node: Node, place: Path, mirrors: bool) -> None:
        """
        Args:
            world, node, mirrors: see `FollowingRobot`.
            place: path of a local socket to create.
        """
        super().__init__(world, node, mirrors)
        self.receiver = TraceReceiver(place, None, None)
        self.receiver.on_step = self.take

    @property
    def variables(self) -> Mapping[str, str]:
        """Environment variables for the controller."""
        return {TRACE: str(self.receiver.path)} | ({MIRROR: "1"} if self._mirrors else {})


def measured(sensor: Sensor, elapsed: float) -> tuple[object, ...] | None:
    """Return what a sensor measures now, after a time in s; None: it reports in another way."""
    try:
        return sensor.measure(elapsed)
    except NotImplementedError:  # cameras and receivers report their values in other ways
        return None


def _device(robot: Robot, tag: int) -> Device | None:
    return robot.devices[tag - 1] if 0 < tag <= len(robot.devices) and tag not in robot.removed_tags else None
