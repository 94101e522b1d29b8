"""Insertion and removal of list elements and nodes."""

from __future__ import annotations

from typing import Any

from hal.protocol.supervisor import read_inserted
from wbcore.physics.tree import node_path
from wbcore.scene.checks.slots import refused
from wbcore.scene.diagnostics import did_you_mean
from wbcore.scene.node import Node
from wbcore.scene.places import inside_of, instance_of
from wbcore.supervisor.fields import FieldPlace
from wbcore.supervisor.reading import read_nodes
from wbcore.supervisor.sets import Sets, changeable
from wbcore.supervisor.subject import WRONG, Subject
from wbcore.supervisor.wire import received, type_number
from wbcore.world.edits import is_in

__all__ = ["Lists"]

MOST_ELEMENTS = 10_000_000


class Lists(Subject):
    """Changes lists at once. What is queued is carried out before."""

    def on_insert_value(self, number: int, index: int, item: int, data: bytes) -> None:
        """Insert a value into a list; nodes are given as text, also for an empty single-node field."""
        self._queued_first()
        spot = changeable(self.dispatcher.subjects["fields"], number, index)
        value = read_inserted(type_number(spot.spec), data)
        if spot.spec.is_node:
            self._import(spot, item, value)
            return
        if not spot.spec.is_list:
            raise ValueError(f"{node_path(spot.holder)}: {spot.name} is not a list")
        count = len(spot.holder.get(spot.name))
        place = _place(spot, item, count + 1)
        if count >= MOST_ELEMENTS:
            raise ValueError(f"{node_path(spot.holder)}: {spot.name} already has {count} elements")
        edits, value = self.simulation.edits, received(spot.spec, type_number(spot.spec), value)
        edits.before(spot.holder, spot.name)
        field = spot.holder.field(spot.name)
        field.value.insert(place, value)
        edits.after(spot.holder, spot.name)
        edits.resized(field)

    def _import(self, spot: FieldPlace, item: int, text: str) -> None:
        holder, spec = spot.holder, spot.spec
        if not spec.is_list and holder.get(spot.name) is not None:
            raise ValueError(f"{node_path(holder)}: {spot.name} already holds a node; remove it first")
        place = _place(spot, item, len(holder.get(spot.name)) + 1) if spec.is_list else 0
        nodes, warnings = read_nodes(self.simulation.world, text, self.robot.name)
        for line in warnings:
            self.robot.warn(line)
        if not spec.is_list and len(nodes) > 1:
            raise ValueError(f"{node_path(holder)}: {spot.name} accepts one node, not {len(nodes)}")
        for one in nodes:
            self._check(spot, one)
        for offset, one in enumerate(nodes):
            self._put(spot, place + offset, one)

    def _check(self, spot: FieldPlace, node: Node) -> None:
        """A node that may not stand in this field is refused."""
        allowed = spot.spec.allowed
        at_top = spot.holder is self.simulation.nodes.root
        if allowed and not at_top and not any(node.is_a(one) or node.type == one for one in allowed):
            names = ", ".join(allowed[:8])
            hint = did_you_mean(node.root.type, allowed)
            text = f"{node_path(spot.holder)}: {spot.name} cannot hold {node.type}; allowed: {names}{hint}"
            raise ValueError(text)
        problem = refused(spot.holder.root, node.root)
        if problem:
            raise ValueError(f"{node_path(spot.holder)}: {problem}")
        if node.root.type in ("WorldInfo", "Viewpoint") and self.simulation.world.first(node.root.type):
            raise ValueError(f"the world already has a {node.root.type}")

    def _put(self, spot: FieldPlace, place: int, node: Node) -> None:
        edits, holder = self.simulation.edits, spot.holder
        if not spot.spec.is_list:
            edits.put(holder, spot.name, node)
            self.robot.send("inserted_node", self.simulation.nodes.number(node))
            return
        _make_name_unique(node, holder.get(spot.name))
        edits.insert(None if holder is self.simulation.nodes.root else holder, spot.name, place, node)

    def on_remove_value(self, number: int, index: int, item: int) -> None:
        """Remove an element of a list, or the node of a single-node field (index -1)."""
        self._queued_first()
        spot = changeable(self.dispatcher.subjects["fields"], number, index)
        value = spot.holder.get(spot.name)
        if not spot.spec.is_list:
            if isinstance(value, Node):
                self._remove(value)
            return
        place = _place(spot, item, len(value))
        if spot.spec.is_node:
            self._remove(value[place])
            return
        edits = self.simulation.edits
        edits.before(spot.holder, spot.name)
        field = spot.holder.field(spot.name)
        del field.value[place]
        edits.after(spot.holder, spot.name)
        edits.resized(field)

    def on_remove_node(self, number: int) -> None:
        """Remove a node."""
        self._queued_first()
        self._remove(self.node(number))

    def _remove(self, node: Node) -> None:
        """Remove a node immediately; a node that contains this robot, at the end of the step."""
        if node is self.simulation.nodes.root:
            raise ValueError("the world's root cannot be removed")
        node = instance_of(node)
        if inside_of(self.robot.node, node):
            self.simulation.at_end_of_step(lambda: self._remove_late(node))
            return
        self.simulation.edits.remove(node)

    def _remove_late(self, node: Node) -> None:
        try:
            if is_in(node, self.simulation.world):
                self.simulation.edits.remove(node)
        except WRONG as problem:
            self.robot.warn(f"remove_node: {problem}")

    def _queued_first(self) -> None:
        sets = self.dispatcher.subjects["sets"]
        assert isinstance(sets, Sets)
        sets.carry_out()


def _place(spot: FieldPlace, item: int, count: int) -> int:
    """An index among `count`; negative ones count from the end."""
    if -count <= item < count:
        return item % count
    allowed = f"allowed: {-count} to {count - 1}" if count else "the list is empty"
    raise ValueError(f"{node_path(spot.holder)}: no index {item} in {spot.name}; {allowed}")


def _make_name_unique(node: Node, siblings: list[Node]) -> None:
    """Append "(1)", "(2)" ... to a solid's name if a sibling has the same name."""
    if not node.is_a("Solid"):
        return
    taken: set[Any] = {one.root.get("name") for one in siblings if one.is_a("Solid")}
    name = node.root.get("name")
    if name not in taken:
        return
    number = 1
    while f"{name}({number})" in taken:
        number += 1
    field = node.root.field("name")
    field.value, field.given = f"{name}({number})", True
