"""What robots need of the simulation that they are part of."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from wbcore.devices.surroundings import Shared, Surroundings

if TYPE_CHECKING:
    from wbcore.physics.world import PhysicsWorld
    from wbcore.robots.user import User
    from wbcore.scene.load import World
    from wbcore.scene.node import Node

__all__ = ["RobotHost", "RobotSimulation", "WorldSimulation"]


class Structure(Protocol):
    """As much of the physics as concerns a robot whether it is simulated or not."""

    @property
    def structure(self) -> int:
        """Counts the changes after which handles of the engine have to be looked up again."""


class HasUser(Protocol):
    """All robots."""

    def __contains__(self, robot: object) -> bool:
        """True while a robot is in the world."""

    @property
    def user(self) -> User:
        """Keyboard, mouse and joystick."""


class Restarts(Protocol):
    """What runs the simulation."""

    def restart_controller(self, robot: Any) -> None:
        """End a robot's controller and start it again."""


class RobotSimulation(Protocol):
    """What a robot itself needs, without its devices: time, its world, its user."""

    @property
    def world(self) -> World:
        """The tree."""

    @property
    def physics(self) -> Structure:
        """What moves."""

    @property
    def robots(self) -> HasUser:
        """All robots."""

    @property
    def host(self) -> Restarts:
        """What runs the simulation."""

    @property
    def console(self) -> Callable[[Any, str, bool], None]:
        """Gets what controllers write to the console: robot, text, whether it is an error."""

    @property
    def step_s(self) -> float:
        """Length of a step (s)."""

    @property
    def time_ms(self) -> float:
        """Simulated time (ms)."""

    @property
    def mode(self) -> int:
        """0: paused, 1: real time, 2: as fast as possible."""

    def set_field(self, node: Node, name: str, value: Any) -> None:
        """Give a field of a node a value; physics, devices and controllers follow."""

    def pin(self, robot: Any, on: bool) -> None:
        """Fix a robot to the world where it stands at the end of the step, or set it free."""


class RobotHost(Restarts, Protocol):
    """What runs the simulation, and follows the robots of its world."""

    def robot_added(self, robot: Any) -> None:
        """A robot came into the world."""

    def robot_removed(self, robot: Any) -> None:
        """A robot has left the world."""


class AllRobots(HasUser, Shared, Protocol):
    """All robots, and what their devices share."""


class WorldSimulation(RobotSimulation, Surroundings, Protocol):
    """What all robots of a simulated world need."""

    @property
    def world(self) -> World:
        """The tree."""

    @property
    def physics(self) -> PhysicsWorld:
        """What moves."""

    @property
    def robots(self) -> AllRobots:
        """All robots."""

    @property
    def host(self) -> RobotHost:
        """What runs the simulation."""

    @property
    def step_s(self) -> float:
        """Length of a step (s)."""

    @property
    def time_ms(self) -> float:
        """Simulated time (ms)."""

    def set_field(self, node: Node, name: str, value: Any) -> None:
        """Give a field of a node a value; physics, devices and controllers follow."""
