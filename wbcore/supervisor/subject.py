"""What the subjects of a supervisor have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hal.protocol.errors import ProtocolError
from wbcore.edits import Observer
from wbcore.engine import _engine
from wbcore.physics.errors import SimulationError
from wbcore.physics.tree import node_path
from wbcore.scene.node import Node

if TYPE_CHECKING:
    from wbcore.robots.robot import Robot
    from wbcore.simulation import Simulation
    from wbcore.supervisor.desk import Desk

__all__ = ["WRONG", "Subject"]

WRONG = (SimulationError, _engine.EngineError, ProtocolError, LookupError, OverflowError, ValueError)
"""Errors that values from a controller can cause: they become warnings."""


class Subject(Observer):
    """Some commands of one supervisor: the command `x` of the codec in a method `on_x(*values)`.

    Methods raise a ValueError (or an error of the simulation) that says what is wrong with the values; it
    becomes one warning, and the controller gets the protocol's "not found".
    """

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.robot: Robot = desk.robot
        self.simulation: Simulation = desk.robot.simulation

    def node(self, number: int) -> Node:
        """The node with a number.

        Raises:
            ValueError: there is none (any more).
        """
        found = self.simulation.nodes.node(number)
        if found is None:
            raise ValueError("there is no such node (any more)")
        return found

    def solid(self, number: int) -> Node:
        """The solid with a number.

        Raises:
            ValueError: there is none.
        """
        node = self.node(number)
        if not node.is_a("Solid"):
            raise ValueError(f"{node_path(node)} is no Solid")
        return node

    # What happens; subjects override what concerns them.

    def connect(self) -> None:
        """A controller has connected: nothing that a former one asked for holds any more."""

    def sample(self, now: float) -> None:
        """A step has ended (ms): tell what is due."""

    def begin_step(self) -> None:
        """A step begins."""

    def before_step(self) -> None:
        """The physics is about to make a step; all sets are done."""

    def after_step(self) -> None:
        """The physics has made a step."""

    def reset(self) -> None:
        """The simulation went back to its start."""

    def save(self) -> Any:
        """What the subject remembers between two steps, as a plain value, for the state of the simulation."""
        return None

    def load(self, state: Any) -> None:
        """Remember what `save` gave."""

    def leave(self) -> None:
        """The robot's node has left the world."""
