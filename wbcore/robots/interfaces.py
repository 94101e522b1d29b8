"""The interfaces through which robots access the simulation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from wbridge.wbcore.devices.surroundings import Shared, Surroundings
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.robots.user import User
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node


class Structure(Protocol):
    """The part of the physics that every robot needs, simulated or not."""

    @property
    def structure(self) -> int:
        """Counts the changes that invalidate handles of the engine."""


class HasUser(Protocol):
    """All robots and their user."""

    def __contains__(self, robot: Any) -> bool:
        """True if the robot is in the world."""

    @property
    def user(self) -> User:
        """Keyboard, mouse and joystick."""


class Restarts(Protocol):
    """The part of a host that restarts controllers."""

    def restart_controller(self, robot: Any) -> None:
        """Terminate a robot's controller and start it again."""


class RobotSimulation(Protocol):
    """What the robot itself, without its devices, needs: time, world and user."""

    @property
    def world(self) -> World:
        """The scene tree."""

    @property
    def physics(self) -> Structure:
        """The simulated physics."""

    @property
    def robots(self) -> HasUser:
        """All robots."""

    @property
    def host(self) -> Restarts:
        """The host that runs the simulation."""

    @property
    def console(self) -> Callable[[Any, str, bool], None]:
        """Receives the controllers' console output: robot, text, whether it is an error."""

    @property
    def step_s(self) -> float:
        """The basic time step (s)."""

    @property
    def time_ms(self) -> float:
        """Simulated time (ms)."""

    @property
    def mode(self) -> int:
        """0: paused, 1: real time, 2: as fast as possible."""

    def set_field(self, node: Node, name: str, value: object) -> None:
        """Set a field of a node and update physics, devices and controllers."""

    def pin(self, robot: Any, on: bool) -> None:
        """Fix a robot to the world at the end of the step, or release it."""


class RobotHost(Restarts, Protocol):
    """A host that follows robots entering and leaving its world."""

    def robot_added(self, robot: Any) -> None:
        """React to a robot that was added to the world."""

    def robot_removed(self, robot: Any) -> None:
        """React to a robot that was removed from the world."""


class AllRobots(HasUser, Shared, Protocol):
    """All robots, and what their devices share."""


class WorldSimulation(RobotSimulation, Surroundings, Protocol):
    """What all robots of a simulated world need together."""

    @property
    def world(self) -> World:
        """The scene tree."""

    @property
    def physics(self) -> PhysicsWorld:
        """The simulated physics."""

    @property
    def robots(self) -> AllRobots:
        """All robots."""

    @property
    def host(self) -> RobotHost:
        """The host that runs the simulation."""

    @property
    def step_s(self) -> float:
        """The basic time step (s)."""

    @property
    def time_ms(self) -> float:
        """Simulated time (ms)."""

    def set_field(self, node: Node, name: str, value: object) -> None:
        """Set a field of a node and update physics, devices and controllers."""
