"""Field sets, queued until the start of the next step."""

from __future__ import annotations

from collections.abc import Callable

from wbridge.hal.protocol.fields import MF
from wbridge.wbcore.physics.tree import node_path
from wbridge.wbcore.scene.node import Field, Node
from wbridge.wbcore.scene.places import is_internal
from wbridge.wbcore.scene.resets import is_rounded, replacement, restricted
from wbridge.wbcore.supervisor.command_group import WRONG, CommandGroup
from wbridge.wbcore.supervisor.dispatcher import Dispatcher
from wbridge.wbcore.supervisor.fields import FieldPlace, Fields
from wbridge.wbcore.supervisor.nodes import NO_LAYER
from wbridge.wbcore.supervisor.wire import received

QueuedSet = tuple[int, int, int, int, object]
"""Node, field, type, index and value, as the message has them."""


class Sets(CommandGroup):
    """Keeps the sets of one supervisor until they are due."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        super().__init__(dispatcher)
        self._queue: list[QueuedSet] = []
        self._touched: dict[Field, tuple[Node, str]] = {}
        """Lists whose elements were set: dependents are notified once, after the last set."""
        self._told: set[tuple[Node, str]] = set()
        self._spots: dict[tuple[int, int], FieldPlace] = {}

    def on_set_field(self, number: int, index: int, type_: int, item: int, value: object) -> None:
        """Queue a set."""
        self._queue.append((number, index, type_, item, value))

    def carry_out(self) -> None:
        """Apply all queued sets. Bodies of PROTOs that depend on them are rebuilt after the last one."""
        if not self._queue:
            return
        queue, self._queue = self._queue, []
        edits = self.simulation.edits
        edits.hold()
        try:
            for entry in queue:
                self._try(*entry)
            touched, self._touched = self._touched, {}
            for field, (node, name) in touched.items():
                field.value = self._in_range(node, name, field.value)
                self._with_warnings(edits.after, node, name)
        finally:
            self._with_warnings(edits.release)

    def _with_warnings(self, action: Callable[..., None], *values: object) -> None:
        try:
            action(*values)
        except WRONG as problem:
            self.robot.warn(f"set_field: {problem}")

    def _try(self, number: int, index: int, type_: int, item: int, value: object) -> None:
        try:
            target = self._spots.get((number, index))
            if target is None:
                target = changeable(self.dispatcher.groups["fields"], number, index)
                self._spots[number, index] = target
            self._set(target, type_, item, received(target.spec, type_, value))
        except WRONG as problem:
            self.robot.warn(f"set_field: {problem}")

    def _set(self, target: FieldPlace, type_: int, item: int, value: object) -> None:
        edits, node, name = self.simulation.edits, target.holder, target.name
        if not type_ & MF:
            edits.set(node, name, self._in_range(node, name, value))
            return
        count = len(node.get(name))
        if not 0 <= item < count:
            raise ValueError(f"{node_path(node)}: {name} has {count} elements; no element {item}")
        field = node.field(name)
        if field not in self._touched:
            edits.before(node, name)
            self._touched[field] = node, name
        field.value[item] = value

    def _in_range(self, node: Node, name: str, value: object) -> object:
        """Return the value, or the one that replaces it if it is out of the field's range."""
        if name == "translation":
            return value
        root = node.root
        field = node.fields.get(name)
        bound = root.fields.get(name)
        if node.proto is not None and not node.spec.fields[name].is_list:
            allowed = restricted(node.spec.fields[name], value)
            if allowed is not value:
                return self._replacement(node, name, value, allowed, is_list=False)
        if root.proto is not None or (node is not root and bound is not field):
            return value
        spec = root.spec.fields[name]
        used = replacement(root, spec, value)
        return self._replacement(node, name, value, used, spec.is_list)

    def _replacement(self, node: Node, name: str, value: object, used: object, is_list: bool) -> object:
        if used is not value and not is_rounded(value, used) and (node, name) not in self._told:
            self._told.add((node, name))
            what = f"cannot be {value}; {used} is used instead"
            if is_list:
                what = "has elements out of range, which were replaced"
            self.robot.warn(f"set_field: {node_path(node)}: {name} {what}")
        return used

    def begin_step(self) -> None:
        """Execute the queued sets."""
        self.carry_out()

    def node_added(self, node: Node) -> None:
        """Drop cached fields."""
        self._spots.clear()

    def node_gone(self, node: Node, number: int) -> None:
        """Drop cached fields."""
        self._spots.clear()

    def regenerated(self) -> None:
        """Drop cached fields."""
        self._spots.clear()

    def connect(self) -> None:
        """Drop the requests of the previous controller."""
        self._queue = []

    def save(self) -> list[QueuedSet]:
        """Return the queued sets."""
        return list(self._queue)

    def load(self, state: list[QueuedSet]) -> None:
        """See `save`."""
        self._queue = list(state)

    def reset(self) -> None:
        """Drop the queued sets."""
        self._queue = []


def changeable(fields: CommandGroup, number: int, index: int) -> FieldPlace:
    """A field that may be changed.

    Raises:
        ValueError: the field does not exist or is inside a PROTO.
    """
    assert isinstance(fields, Fields)
    target = fields.target(number, NO_LAYER, index, False)
    if is_internal(target.holder):
        text = f"{node_path(target.holder)}: {target.name} is inside a PROTO and cannot be changed"
        raise ValueError(text)
    return target
