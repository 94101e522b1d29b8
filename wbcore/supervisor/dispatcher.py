"""Dispatches commands and notifications to the command groups of one supervisor."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from wbridge.hal.protocol.codec import Codec
from wbridge.wbcore.scene.node import Field, Node
from wbridge.wbcore.supervisor.command_group import WRONG, CommandGroup, SupervisedSimulation, SupervisorRobot

COMMAND_GROUPS = (
    *("nodes", "fields", "sets", "lists", "tracking", "poses", "contacts", "forces", "states"),
    *("view", "media", "run", "files"),
)
"""Modules of this package, each with a class of its name, in the order in which they are notified."""


class Dispatcher:
    """All command groups of one supervisor."""

    def __init__(self, robot: SupervisorRobot, simulation: SupervisedSimulation) -> None:
        self.robot, self.simulation = robot, simulation
        self.is_used = False
        """A controller has connected and gets notifications from now on."""
        self.groups: dict[str, CommandGroup] = {}
        for name in COMMAND_GROUPS:
            self.groups[name] = getattr(
                import_module(f"wbridge.wbcore.supervisor.{name}"), name.capitalize()
            )(self)

    def handlers(self, codec: Codec) -> dict[int, Callable[..., None]]:
        """Return the handlers by command code."""
        return {
            code: _with_warnings(handler)
            for group in self.groups.values()
            for name, code in codec.command_codes.items()
            if (handler := getattr(group, f"on_{name}", None)) is not None
        }

    def each(self, method: str) -> list[Callable[..., None]]:
        """Return this method of the command groups that override it."""
        base = getattr(CommandGroup, method)
        return [
            getattr(group, method)
            for group in self.groups.values()
            if getattr(type(group), method) is not base
        ]

    # Implementation of `Observer`.

    def node_added(self, node: Node) -> None:
        """React to a node that was added to the tree."""
        for hear in self.each("node_added"):
            hear(node)

    def node_removed(self, node: Node) -> None:
        """React to a node that was removed from the tree with its descendants."""
        for hear in self.each("node_removed"):
            hear(node)

    def node_gone(self, node: Node, number: int) -> None:
        """Notify the controller that the node with a number was removed."""
        if self.is_used:
            self.robot.send("node_removed", number)
        for hear in self.each("node_gone"):
            hear(node, number)

    def list_changed(self, field: Field) -> None:
        """React to a new length of a field with several values, or with a node."""
        for hear in self.each("list_changed"):
            hear(field)

    def regenerated(self) -> None:
        """A PROTO instance got a new body."""
        self.robot.send_newest("proto_regenerated")
        for hear in self.each("regenerated"):
            hear()

    def renamed(self, node: Node) -> None:
        """React to a changed DEF name."""
        for hear in self.each("renamed"):
            hear(node)


def _with_warnings(handler: Callable[..., None]) -> Callable[..., None]:
    """Convert errors of the simulation to errors in the controller's values."""

    def handle(*values: object) -> None:
        try:
            handler(*values)
        except WRONG as problem:
            raise ValueError(str(problem)) from problem

    return handle
