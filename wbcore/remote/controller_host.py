"""Answer a controller without a simulation: provide the robot's device table, and time.

The controller drives a real robot through a plugin in its own process. This host tells it which devices there
are, and answers its steps while it is not driving.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from wbridge.hal.table import DeviceEntry
from wbridge.wbcore.devices import Device
from wbridge.wbcore.remote.host_devices import HostDevice
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbcore.robots.simulation_host import SimulationHost, StandaloneHost
from wbridge.wbcore.robots.user import User
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.rules import Place

_LOG = logging.getLogger(__name__)
DEFAULT_STEP_MS = 32.0
REAL_TIME = 1


class HostRobot(Robot):
    """A robot without simulation: it has a table and a plugin, but no devices that measure or move."""

    def __init__(self, simulation: HostSimulation, node: Node, plugin: str) -> None:
        """
        Args:
            simulation: the host that replaces a simulation.
            node: the robot's built-in node.
            plugin: name of its remote control.
        """
        self.plugin = plugin
        self._is_remote = self.was_remote = False
        super().__init__(simulation, node, 0)
        if self.table.robot.constants["supervisor"]:
            self.warn("supervisor functions need a simulation; they are not available here")

    @property
    def is_remote(self) -> bool:
        """True while the controller drives the real robot; a step takes the time that its plugin needs."""
        return self._is_remote

    @is_remote.setter
    def is_remote(self, on: bool) -> None:
        """Set the mode reported by the controller."""
        if self._is_remote and not on:
            _LOG.info(
                'robot "%s": the controller has left remote control; there is no simulation to continue in',
                self.name,
            )
        self._is_remote = on
        self.was_remote = self.was_remote or on

    @property
    def is_supervisor(self) -> bool:
        """Always False: there is no world."""
        return False

    @property
    def is_synchronous(self) -> bool:
        """Always True: each step is waited for."""
        return True

    def make_device(self, place: Place, entry: DeviceEntry) -> Device:
        """Create a device that only provides its constants."""
        return HostDevice(place, entry, self)

    def write_answer(self, out: bytearray) -> None:
        """While the real robot is driven, the controller's clock is the robot's."""
        if self.is_remote:
            self.answer.sent_time = self.simulation.time_ms
        super().write_answer(out)

    @property
    def remote_control(self) -> str:
        """The plugin that the run names, whatever the robot's field says."""
        return self.plugin


class HostSimulation:
    """The part of a simulation that a run with one controller needs; nothing moves in it."""

    def __init__(self, world: World, node: Node, plugin: str) -> None:
        """
        Args:
            world: the robot's world.
            node: the robot's built-in node.
            plugin: name of its remote control.
        """
        self.world = world
        info = world.first("WorldInfo")
        step_ms = float(info.get("basicTimeStep")) if info is not None else DEFAULT_STEP_MS
        self.step_s = step_ms / 1000
        self.steps = 0
        self.mode = REAL_TIME
        self.host: SimulationHost = StandaloneHost()
        self.console: Callable[[Robot, str, bool], None] = lambda robot, text, is_error: None
        self.physics = SimpleNamespace(structure=0)
        self.robot = HostRobot(self, node, plugin)
        self.robots = _Robots(self.robot)

    def close(self) -> None:
        """Do nothing: it has no physics plugin to end."""

    @property
    def time_ms(self) -> float:
        """Simulated time of the steps made."""
        return self.steps * self.step_s * 1000

    def step(self) -> None:
        """Advance time by one step."""
        self.steps += 1

    def pin(self, robot: Robot, on: bool) -> None:
        """Do nothing: there is no world to change."""

    def set_field(self, node: Node, name: str, value: Any) -> None:
        """Set a field of the robot for its controller, for example customData."""
        self.world.set(node, name, value)


class _Robots(list[HostRobot]):
    """A list with the one robot, and an input device state without input."""

    def __init__(self, robot: HostRobot) -> None:
        super().__init__([robot])
        self.user = User()
