"""Insertion and removal of list elements and nodes."""

from __future__ import annotations

from typing import Any

from wbridge.hal.protocol.supervisor import read_inserted
from wbridge.wbcore.physics.tree import node_path
from wbridge.wbcore.scene.checks.slots import refused
from wbridge.wbcore.scene.diagnostics import did_you_mean
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.places import inside_of, instance_of
from wbridge.wbcore.supervisor.command_group import WRONG, CommandGroup
from wbridge.wbcore.supervisor.fields import FieldPlace
from wbridge.wbcore.supervisor.reading import read_nodes
from wbridge.wbcore.supervisor.sets import Sets, changeable
from wbridge.wbcore.supervisor.wire import received, type_number
from wbridge.wbcore.world.edits import is_in

MOST_ELEMENTS = 10_000_000


class Lists(CommandGroup):
    """Changes lists at once. What is queued is carried out before."""

    def on_insert_value(self, number: int, index: int, item: int, data: bytes) -> None:
        """Insert a value into a list; nodes are given as text, also for an empty single-node field."""
        self._queued_first()
        target = changeable(self.dispatcher.groups["fields"], number, index)
        value = read_inserted(type_number(target.spec), data)
        if target.spec.is_node:
            self._import(target, item, value)
            return
        if not target.spec.is_list:
            raise ValueError(f"{node_path(target.holder)}: {target.name} is not a list")
        count = len(target.holder.get(target.name))
        place = _place(target, item, count + 1)
        if count >= MOST_ELEMENTS:
            raise ValueError(f"{node_path(target.holder)}: {target.name} already has {count} elements")
        edits, value = self.simulation.edits, received(target.spec, type_number(target.spec), value)
        edits.before(target.holder, target.name)
        field = target.holder.field(target.name)
        field.value.insert(place, value)
        edits.after(target.holder, target.name)
        edits.resized(field)

    def import_nodes(self, number: int, index: int, item: int, text: str) -> None:
        """Insert the nodes of a text into a field."""
        self._queued_first()
        self._import(changeable(self.dispatcher.groups["fields"], number, index), item, text)

    def _import(self, target: FieldPlace, item: int, text: str) -> None:
        holder, spec = target.holder, target.spec
        if not spec.is_list and holder.get(target.name) is not None:
            raise ValueError(f"{node_path(holder)}: {target.name} already holds a node; remove it first")
        place = _place(target, item, len(holder.get(target.name)) + 1) if spec.is_list else 0
        nodes, warnings = read_nodes(self.simulation.world, text, self.robot.name)
        for line in warnings:
            self.robot.warn(line)
        if not spec.is_list and len(nodes) > 1:
            raise ValueError(f"{node_path(holder)}: {target.name} accepts one node, not {len(nodes)}")
        for node in nodes:
            self._check(target, node)
        for offset, node in enumerate(nodes):
            self._put(target, place + offset, node)

    def _check(self, target: FieldPlace, node: Node) -> None:
        """A node that may not stand in this field is refused."""
        allowed = target.spec.allowed
        at_top = target.holder is self.simulation.nodes.root
        if allowed and not at_top and not any(node.is_a(kind) or node.type == kind for kind in allowed):
            names = ", ".join(allowed[:8])
            hint = did_you_mean(node.root.type, allowed)
            text = (
                f"{node_path(target.holder)}: {target.name} cannot hold {node.type}; allowed: {names}{hint}"
            )
            raise ValueError(text)
        problem = refused(target.holder.root, node.root)
        if problem:
            raise ValueError(f"{node_path(target.holder)}: {problem}")
        if node.root.type in ("WorldInfo", "Viewpoint") and self.simulation.world.first(node.root.type):
            raise ValueError(f"the world already has a {node.root.type}")

    def _put(self, target: FieldPlace, place: int, node: Node) -> None:
        edits, holder = self.simulation.edits, target.holder
        if not target.spec.is_list:
            edits.put(holder, target.name, node)
            self.robot.send("inserted_node", self.simulation.nodes.number(node))
            return
        _make_name_unique(node, holder.get(target.name))
        edits.insert(None if holder is self.simulation.nodes.root else holder, target.name, place, node)

    def on_remove_value(self, number: int, index: int, item: int) -> None:
        """Remove an element of a list, or the node of a single-node field (index -1)."""
        self._queued_first()
        target = changeable(self.dispatcher.groups["fields"], number, index)
        value = target.holder.get(target.name)
        if not target.spec.is_list:
            if isinstance(value, Node):
                self._remove(value)
            return
        place = _place(target, item, len(value))
        if target.spec.is_node:
            self._remove(value[place])
            return
        edits = self.simulation.edits
        edits.before(target.holder, target.name)
        field = target.holder.field(target.name)
        del field.value[place]
        edits.after(target.holder, target.name)
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
        sets = self.dispatcher.groups["sets"]
        assert isinstance(sets, Sets)
        sets.carry_out()


def _place(target: FieldPlace, item: int, count: int) -> int:
    """An index among `count`; negative ones count from the end."""
    if -count <= item < count:
        return item % count
    allowed = f"allowed: {-count} to {count - 1}" if count else "the list is empty"
    raise ValueError(f"{node_path(target.holder)}: no index {item} in {target.name}; {allowed}")


def _make_name_unique(node: Node, siblings: list[Node]) -> None:
    """Append "(1)", "(2)" ... to a solid's name if a sibling has the same name."""
    if not node.is_a("Solid"):
        return
    taken: set[Any] = {sibling.root.get("name") for sibling in siblings if sibling.is_a("Solid")}
    name = node.root.get("name")
    if name not in taken:
        return
    number = 1
    while f"{name}({number})" in taken:
        number += 1
    field = node.root.field("name")
    field.value, field.given = f"{name}({number})", True
