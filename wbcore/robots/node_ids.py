"""Numbers of nodes, by which supervisors name them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hal.protocol.configure import Own
from wbcore.physics.tree import instance_of
from wbcore.scene.node import Node

if TYPE_CHECKING:
    from wbcore.robots.robot import Robot

__all__ = ["NodeIds"]

ROOT = 0
"""The number of the world itself."""


class NodeIds:
    """Gives nodes numbers from 1 on, in the order in which they are asked for; none is used again."""

    def __init__(self) -> None:
        self._numbers: dict[Node, int] = {}
        self._nodes: dict[int, Node] = {}

    def number(self, node: Node) -> int:
        """The number of a node."""
        if node not in self._numbers:
            self._numbers[node] = number = len(self._numbers) + 1
            self._nodes[number] = node
        return self._numbers[node]

    def node(self, number: int) -> Node | None:
        """The node with a number; None when there is none (any more)."""
        return self._nodes.get(number)

    def forget(self, node: Node) -> None:
        """A node has left the world."""
        number = self._numbers.get(node)
        if number is not None:
            self._nodes.pop(number, None)

    def own(self, robot: Robot) -> Own:
        """What a supervisor is told about its own node."""
        node = instance_of(robot.node)
        above = node.parent
        return Own(
            id=self.number(node),
            parent=ROOT if above is None else self.number(above),
            is_proto=node.proto is not None,
            in_proto=above is not None and instance_of(above.root) is not above.root,
            model=node.type,
            def_name=node.def_name or "",
        )
