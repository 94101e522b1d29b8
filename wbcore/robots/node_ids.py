"""Numbers of nodes, by which supervisors name them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from hal.protocol.configure import Own
from wbcore.physics.tree import instance_of
from wbcore.scene.node import Field, Node
from wbcore.scene.schema import schema
from wbcore.supervisor.places import is_internal, place

if TYPE_CHECKING:
    from wbcore.robots.robot import Robot
    from wbcore.scene.load import World

__all__ = ["NO_NODE", "ROOT", "NodeIds"]

ROOT = 0
"""The number of the world itself."""
NO_NODE = -1


class NodeIds:
    """Gives nodes numbers from 1 on, in the order in which they are asked for; none is used again.

    A PROTO instance and its bodies are one node.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._numbers: dict[Node, int] = {}
        self._nodes: dict[int, Node] = {}
        self._last = ROOT

    @cached_property
    def root(self) -> Node:
        """The world as a node: a Group whose `children` are the top-level nodes."""
        spec = schema(self._world.version).node("Group")
        assert spec is not None, "every release has the node Group"
        made = Node(spec)
        made.fields["children"] = Field(spec.fields["children"], self._world.nodes)
        return made

    def number(self, node: Node) -> int:
        """The number of a node."""
        if node is self.__dict__.get("root"):
            return ROOT
        node = instance_of(node)
        known = self._numbers.get(node)
        if known is None:
            self._last = known = self._last + 1
            self._numbers[node] = known
            self._nodes[known] = node
        return known

    def node(self, number: int) -> Node | None:
        """The node with a number; None when there is none (any more)."""
        return self.root if number == ROOT else self._nodes.get(number)

    def forget(self, node: Node) -> int | None:
        """A node has left the world; the number that it had, if it had one."""
        number = self._numbers.pop(node, None)
        if number is not None:
            del self._nodes[number]
        return number

    def parent(self, node: Node) -> int:
        """The number of what holds a node: `ROOT` at the top of the world, `NO_NODE` for the world itself."""
        if node is self.root:
            return NO_NODE
        holder = place(node).holder
        return ROOT if holder is None else self.number(holder)

    def own(self, robot: Robot) -> Own:
        """What a supervisor is told about its own node."""
        node = instance_of(robot.node)
        return Own(
            id=self.number(node),
            parent=self.parent(node),
            is_proto=node.proto is not None,
            in_proto=is_internal(node),
            model=node.type,
            def_name=node.def_name or "",
        )
