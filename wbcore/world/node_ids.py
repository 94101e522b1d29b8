"""Node numbers, which identify nodes for supervisors."""

from __future__ import annotations

from functools import cached_property

from wbridge.hal.protocol.configure import SelfNode
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Field, Node, walk
from wbridge.wbcore.scene.places import instance_of, is_internal, place
from wbridge.wbcore.scene.schema import schema

ROOT = 0
"""The number of the scene tree's root."""
NO_NODE = -1


class NodeIds:
    """Numbers all nodes from 1 on the first query, in file order; no number is reused.

    A PROTO instance and its bodies are one node. An instance whose template got a number as
    `context.id` has that one, as in Webots.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._numbers: dict[Node, int] = {}
        self._nodes: dict[int, Node] = {}
        self._last = ROOT
        self._is_counted = False

    @cached_property
    def root(self) -> Node:
        """The root as a node: a Group whose `children` are the top-level nodes."""
        spec = schema(self._world.version).node("Group")
        assert spec is not None, "every release has the node Group"
        made = Node(spec)
        made.fields["children"] = Field(spec.fields["children"], self._world.nodes)
        return made

    def number(self, node: Node) -> int:
        """Return the number of a node."""
        if node is self.__dict__.get("root"):
            return ROOT
        if not self._is_counted:
            self.count_all()
        return self._number(instance_of(node))

    def _number(self, node: Node) -> int:
        known = self._numbers.get(node)
        if known is None:
            known = self._template_number(node) or self._next()
            self._numbers[node] = known
            self._nodes[known] = node
        return known

    def _template_number(self, node: Node) -> int:
        """The number passed to the template of an instance, or of a PROTO that it derives from; else 0."""
        expander, above = self._world.expander, node
        while expander is not None and above.proto is not None:
            number = expander.identifier(above)
            if number and number not in self._nodes:
                return number
            if above.body is None:
                break
            above = above.body
        return 0

    def _next(self) -> int:
        if self._world.expander is not None:
            return self._world.expander.context.next_id()
        self._last += 1
        return self._last

    def count_all(self) -> None:
        """Number all nodes of the world that have no number yet."""
        self._is_counted = True
        for node in walk(self._world.nodes):
            if node.parent is None or node.parent.body is not node:
                self._number(node)

    def node(self, number: int) -> Node | None:
        """The node with a number; None if there is none or it was removed."""
        if number == ROOT:
            return self.root
        if number not in self._nodes and number > ROOT:
            self.count_all()
        return self._nodes.get(number)

    def forget(self, node: Node) -> int | None:
        """Forget a removed node; return its number, or None if it had none."""
        number = self._numbers.pop(node, None)
        if number is not None:
            del self._nodes[number]
        return number

    def parent(self, node: Node) -> int:
        """Return the number of a node's parent: `ROOT` at the top level, `NO_NODE` for the root itself."""
        if node is self.root:
            return NO_NODE
        holder = place(node).holder
        return ROOT if holder is None else self.number(holder)

    def own(self, robot: Node) -> SelfNode:
        """The description of a supervisor's own robot."""
        node = instance_of(robot)
        return SelfNode(
            id=self.number(node),
            parent=self.parent(node),
            is_proto=node.proto is not None,
            in_proto=is_internal(node),
            model=node.type,
            def_name=node.def_name or "",
        )
