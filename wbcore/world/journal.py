"""Changes of a running simulation's tree, which a reset reverts."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from wbridge.wbcore.physics.initial import InitialState
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Field, Node, walk
from wbridge.wbcore.scene.places import inside_of
from wbridge.wbcore.scene.values import VecArray, copied

MESSAGES = frozenset(["customData", "controllerArgs", "controller"])
"""Data that one run passes to the next stays: only controllers use these fields of robots."""


ChangedField = tuple[int, str, object]
"""The position of a node in the tree, and name and plain value of a field."""


class _Value(NamedTuple):
    node: Node
    name: str
    value: object


class Editor(Protocol):
    """Changes the tree and notifies its dependents."""

    def set(self, node: Node, name: str, value: object) -> None:
        """Set a field that holds no nodes."""

    def remove(self, node: Node) -> None:
        """Remove a node from the tree."""


class Journal:
    """The initial values of changed fields, and the added nodes.

    wbridge.wbcore.physics.initial stores the poses of solids. Removed nodes are not restored.
    """

    def __init__(self, world: World, initial: InitialState, editor: Editor) -> None:
        self._world, self._initial, self._editor = world, initial, editor
        self._values: dict[Field, _Value] = {}
        self.added: list[Node] = []
        self._undoing = False

    def keep(self, node: Node, name: str, field: Field) -> None:
        """Store a field's value before its first change."""
        if field in self._values or self._undoing or name in MESSAGES or field.spec.is_node:
            return
        if not self._initial.holds(field):
            self._values[field] = _Value(node, name, copied(field.value))

    def first(self, field: Field) -> object:
        """Return a field's initial value."""
        kept = self._values.get(field)
        return field.value if kept is None else kept.value

    def settle(self, changed: Field | Node) -> None:
        """Let resets keep a change: the value of a field, or a node that was added."""
        if isinstance(changed, Field):
            self._values.pop(changed, None)
        else:
            self.added = [node for node in self.added if node is not changed]

    # The state of a simulation.

    def save(self) -> list[ChangedField]:
        """Return the changed fields with their values, by the positions of their nodes in the tree."""
        if not self._values:
            return []
        numbers = {node: number for number, node in enumerate(walk(self._world.nodes))}
        return sorted(
            (numbers[change.node], change.name, value)
            for field, change in self._values.items()
            if change.node in numbers and (value := _plain(field.value)) != _plain(change.value)
        )

    def load(self, state: list[ChangedField]) -> Callable[[], None]:
        """Set fields to the values of a state, and all other changed fields to their initial values.

        Returns:
            a function that undoes this.

        Raises:
            ValueError: the tree has different nodes.
        """
        nodes = list(walk(self._world.nodes)) if state else []
        if any(number >= len(nodes) or name not in nodes[number].spec.fields for number, name, _ in state):
            raise ValueError("its tree has different nodes")
        wanted = {(nodes[number], name): value for number, name, value in state}
        for change in self._values.values():
            wanted.setdefault((change.node, change.name), _plain(change.value))
        before = [(node, name, _plain(node.get(name))) for node, name in wanted]
        self._give([(node, name, value) for (node, name), value in wanted.items()])
        return lambda: self._give(before)

    def _give(self, values: list[tuple[Node, str, object]]) -> None:
        for node, name, value in values:
            if _plain(node.get(name)) != value:
                self._editor.set(node, name, _like(node.get(name), value))

    def forget(self, node: Node) -> None:
        """Forget a removed node."""
        self.added = [added_node for added_node in self.added if not inside_of(added_node, node)]
        gone = [field for field, kept in self._values.items() if inside_of(kept.node, node)]
        for field in gone:
            del self._values[field]

    def undo(self) -> None:
        """Remove added nodes and restore the initial values of changed fields."""
        for node in reversed(list(self.added)):
            if node in self.added:
                self._editor.remove(node)
        values, self._values = self._values, {}
        self._undoing = True
        try:
            for field, kept in values.items():
                if kept.node.fields.get(kept.name) is field:
                    self._editor.set(kept.node, kept.name, kept.value)
        finally:
            self._undoing = False
        self.added = []


def _plain(value: object) -> object:
    """Return a field's value with arrays converted to plain lists."""
    return list(value) if isinstance(value, VecArray | array | list) else value


def _like(old: object, value: Any) -> Any:
    """Return a plain value converted to the class of a field's value."""
    if isinstance(old, VecArray):
        return VecArray(old.width, value)
    return array(old.typecode, value) if isinstance(old, array) else copied(value)
