"""What answers a controller in the place of a simulation: the robot's device table, and time.

The controller drives a real robot by a plugin of its own process. It needs somebody who tells it which
devices there are, and whom it can ask for the end of a step while it is not driving.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from wbcore.remote.host_devices import HostDevice
from wbcore.robots.robot import Robot
from wbcore.robots.simulation_host import SimulationHost, StandaloneHost
from wbcore.robots.user import User
from wbcore.scene.load import World
from wbcore.scene.node import Node

if TYPE_CHECKING:
    from hal.table import Device as Row
    from wbcore.devices import Device
    from wbcore.tables.rules import Place

__all__ = ["HostRobot", "HostSimulation"]

_LOG = logging.getLogger(__name__)
DEFAULT_STEP_MS = 32.0
REAL_TIME = 1


class HostRobot(Robot):
    """A robot that exists outside: it has a table and a plugin, but no devices that measure or move."""

    def __init__(self, simulation: HostSimulation, node: Node, plugin: str) -> None:
        """
        Args:
            simulation: what answers in the place of one.
            node: the robot's built-in node.
            plugin: name of its remote control.
        """
        self.plugin = plugin
        self._is_remote = self.was_remote = False
        super().__init__(simulation, node, 0)
        if self.table.robot.constants["supervisor"]:
            self.warn("it is a supervisor, which needs a simulation; here it is none")

    @property
    def is_remote(self) -> bool:
        """The controller drives the real robot; time is what its plugin needs for a step."""
        return self._is_remote

    @is_remote.setter
    def is_remote(self, on: bool) -> None:
        """Take note of the mode that the controller tells."""
        if self._is_remote and not on:
            _LOG.info(
                'robot "%s": the controller has let it go; here is no simulation to go on in', self.name
            )
        self._is_remote = on
        self.was_remote = self.was_remote or on

    @property
    def is_supervisor(self) -> bool:
        """There is no world to ask for."""
        return False

    @property
    def is_synchronous(self) -> bool:
        """Each step is waited for."""
        return True

    def make_device(self, place: Place, entry: Row) -> Device:
        """A device that only tells its constants."""
        return HostDevice(place, entry, self)

    def write_answer(self, out: bytearray) -> None:
        """While the real robot is driven, the controller's clock is the robot's."""
        if self.is_remote:
            self.told_time = self.simulation.time_ms
        super().write_answer(out)

    def _remote_control(self) -> str:
        return self.plugin


class HostSimulation:
    """As much of a simulation as a run with one controller needs; nothing moves in it."""

    def __init__(self, world: World, node: Node, plugin: str) -> None:
        """
        Args:
            world: where the robot stands.
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

    @property
    def time_ms(self) -> float:
        """The time of the steps that were made."""
        return self.steps * self.step_s * 1000

    def step(self) -> None:
        """Let time pass."""
        self.steps += 1

    def pin(self, robot: Robot, on: bool) -> None:
        """Nothing in the world can be changed."""

    def set_field(self, node: Node, name: str, value: Any) -> None:
        """Set what the controller says about its robot, for example customData."""
        self.world.set(node, name, value)


class _Robots(list[HostRobot]):
    """The one robot, and the user who does not touch it."""

    def __init__(self, robot: HostRobot) -> None:
        super().__init__([robot])
        self.user = User()
