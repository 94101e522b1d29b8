"""Field queries: fields by name or index, their values and lengths."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

from wbridge.wbcore.physics import sync
from wbridge.wbcore.physics.tree import node_path
from wbridge.wbcore.scene.diagnostics import did_you_mean, shown
from wbridge.wbcore.scene.node import Field, Node
from wbridge.wbcore.scene.places import field_names, fields_shown, is_internal, layers, visible_field
from wbridge.wbcore.scene.schema import FieldSpec
from wbridge.wbcore.supervisor.command_group import CommandGroup
from wbridge.wbcore.supervisor.dispatcher import Dispatcher
from wbridge.wbcore.supervisor.nodes import NO_LAYER, Nodes
from wbridge.wbcore.supervisor.wire import count_of, sent, type_number
from wbridge.wbcore.world.node_ids import NO_NODE

MOVING = frozenset("translation rotation linearVelocity angularVelocity position position2 position3".split())
"""Fields whose current values are in the engine and not in the tree."""
_MOVING_TYPES = ("SFVec3f", "SFRotation", "SFFloat")
NOT_FOUND = -1
GONE = (0, NO_NODE, NO_LAYER, NOT_FOUND, None)
_INDEX = struct.Struct("<I")


class FieldPlace(NamedTuple):
    """A field as the controller names it."""

    number: int
    """Number of the node."""
    layer: int
    """PROTO layer; -1: the node as shown in the scene tree."""
    at: int
    """Index of the field."""
    base: bool
    """Whether the field belongs to the base node of the PROTO."""
    holder: Node
    """The node of the tree that has the field."""
    name: str

    @property
    def spec(self) -> FieldSpec:
        """The field's type."""
        return self.holder.spec.fields[self.name]

    @property
    def is_inside(self) -> bool:
        """True if the field itself, not only its node, is inside a PROTO."""
        return self.base or self.layer >= 0


class Fields(CommandGroup):
    """Answers questions about fields."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        super().__init__(dispatcher)
        self._counted: dict[Field, set[tuple[int, str]]] = {}

    @property
    def _nodes(self) -> Nodes:
        found = self.dispatcher.groups["nodes"]
        assert isinstance(found, Nodes)
        return found

    # Identifying fields.

    def holder(self, number: int, layer: int, base: bool) -> Node:
        """Return the tree node with the fields of a node, of its base node or of one of its layers.

        Raises:
            ValueError: the node or the layer does not exist.
        """
        node = self.node(number)
        if layer >= 0:
            found = layers(node)
            if layer >= len(found):
                raise ValueError(f"{node.type} has {len(found)} PROTO layers; no layer {layer}")
            return found[layer]
        return node.root if base else node

    def target(self, number: int, layer: int, index: int, base: bool) -> FieldPlace:
        """The field with an index.

        Raises:
            ValueError: the node or the field does not exist.
        """
        holder = self.holder(number, layer, base)
        names = field_names(holder)
        if not 0 <= index < len(names):
            raise ValueError(f"{holder.type} has {len(names)} fields; there is no number {index}")
        return FieldPlace(number, layer, index, base, holder, names[index])

    # Queries.

    def on_get_field(self, number: int, *values: Any) -> None:
        """Send about the field with a name."""
        layer, name, base = values if len(values) == 3 else (NO_LAYER, *values)
        try:
            holder = self.holder(number, layer, base)
        except ValueError:
            self._send_no_field()
            return
        names = field_names(holder)
        if name not in names:
            self._warn_unknown(holder, name, names)
            self._send_no_field()
            return
        self._send_field(FieldPlace(number, layer, names.index(name), base, holder, name))

    def _warn_unknown(self, holder: Node, name: str, names: Sequence[str]) -> None:
        """Warn about an unknown name only if it is similar to a field's: controllers may test for fields."""
        hint = did_you_mean(name, names, nearness=0.8)
        if hint:
            self.robot.warn(f"{node_path(holder)} has no field {shown(name)}{hint}")

    def on_get_field_by_index(self, number: int, *values: Any) -> None:
        """Send about the field with an index."""
        layer, index, base = values if len(values) == 3 else (NO_LAYER, *values)
        try:
            target = self.target(number, layer, index, base)
        except ValueError:
            self._send_no_field()
            return
        if index < fields_shown(target.holder):
            self._send_field(target)
        else:
            self._send_no_field()

    def on_count_fields(self, number: int, base: bool) -> None:
        """Send how many fields a node has; nothing when there is no such node."""
        self.robot.send("number_of_fields", fields_shown(self.holder(number, NO_LAYER, base)))

    def on_get_value(self, number: int, *values: Any) -> None:
        """Send a value; for a list the index of the element is at the end."""
        layer, index, base, rest = values if len(values) == 4 else (NO_LAYER, *values)
        try:
            target = self.target(number, layer, index, base)
            item = _INDEX.unpack(rest)[0] if target.spec.is_list else None
            message = self.value(target, item)
        except (ValueError, IndexError, struct.error) as problem:
            self.robot.send("value", *GONE)
            raise ValueError(str(problem)) from problem
        self.robot.send("value", *message)

    # Answers.

    def _send_no_field(self) -> None:
        actual = (NO_NODE, NOT_FOUND) if self.robot.dialect.proto_index else ()
        self.robot.send("field", NOT_FOUND, 0, False, NOT_FOUND, *actual, "")

    def _send_field(self, target: FieldPlace) -> None:
        spec, holder = target.spec, target.holder
        internal = target.is_inside or is_internal(holder)
        count = count_of(spec, holder.get(target.name))
        actual: tuple[int, ...] = ()
        if self.robot.dialect.proto_index:
            actual = self._actual(target) if internal else (target.number, target.at)
        if count >= 0 and not target.is_inside:
            self._counted.setdefault(holder.field(target.name), set()).add((target.number, target.name))
        self.robot.send("field", target.at, type_number(spec), internal, count, *actual, target.name)

    def _actual(self, target: FieldPlace) -> tuple[int, int]:
        """The field in the scene tree that stands behind one inside of a PROTO."""
        field = target.holder.fields.get(target.name)
        found = visible_field(target.holder, field) if field is not None else None
        if found is None:
            return NO_NODE, NOT_FOUND
        node, name = found
        return self.simulation.nodes.number(node), field_names(node).index(name)

    def value(self, target: FieldPlace, item: int | None) -> tuple[object, ...]:
        """The message with a value, or with an element of a list.

        Raises:
            ValueError: the value has the wrong type.
            IndexError: the element does not exist.
        """
        spec, holder, name = target.spec, target.holder, target.name
        if name in MOVING or (holder.body is not None and spec.type in _MOVING_TYPES):
            sync.write_place(self.simulation.physics, holder)
        value = holder.get(name)
        if item is not None:
            if item >= len(value):
                raise IndexError(f"{holder.type}.{name} has {len(value)} elements; no element {item}")
            value = value[item]
        made = self._reference(value) if spec.is_node else sent(spec, value)
        return type_number(spec), target.number, target.layer, target.at, made

    def _reference(self, node: Node | None) -> tuple[object, ...] | None:
        if node is None:
            return None
        number, type_, tag, parent, is_proto, _, model, def_name = self._nodes.described(node)
        return number, type_, tag, parent, is_proto, model, def_name

    # Notifications.

    def connect(self) -> None:
        """Forget the fields known to the former controller."""
        self._counted.clear()

    def list_changed(self, field: Field) -> None:
        """Send the new length of a list that the controller knows."""
        for number, name in self._counted.get(field, ()):
            self.robot.send("field_count", number, name, count_of(field.spec, field.value))

    def node_gone(self, node: Node, number: int) -> None:
        """Forget the node's fields."""
        for field in node.fields.values():
            self._counted.pop(field, None)

    def regenerated(self) -> None:
        """Forget lists inside replaced bodies."""
        nodes = self.simulation.nodes
        self._counted = {
            field: kept
            for field, spots in self._counted.items()
            if (kept := {spot for spot in spots if nodes.node(spot[0]) is not None})
        }
