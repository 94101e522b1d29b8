"""A PROTO layer of a node, as the supervisor functions access it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbridge.hal.modes.arguments import needs
from wbridge.hal.modes.scene.field import Field
from wbridge.hal.reports import messages, report

if TYPE_CHECKING:
    from wbridge.hal.modes.scene.node import Node

__all__ = ["Proto", "find_field", "find_proto"]

BY_INDEX, PROTO, BY_NAME = 64, 78, 87


def find_proto(node: Node, layer: int) -> Proto | None:
    """The PROTO below a layer of a node (-1 for the outermost), or None. Queries the simulator."""
    scene = node.scene
    if not scene.exchange.dialect.proto_index:
        report.warning(
            node.function("get_proto"), messages.needs_newer_simulator(scene.exchange.dialect.name)
        )
        return None
    found = scene.ask(node.function("get_proto"), PROTO, node.id, layer)
    return None if found is None or found[0] < 0 else Proto(node, *found)


def find_field(node: Node, method: str, layer: int, key: str | int, base: bool) -> Field | None:
    """A field of a node or of one of its PROTO layers, by name or index, or None."""
    known = node.by_index if isinstance(key, int) else node.fields
    kept = known.get((layer, key, base))  # type: ignore[arg-type]
    if kept is not None:
        return kept
    scene = node.scene
    layers = (layer,) if scene.exchange.dialect.proto_index else ()
    code = BY_INDEX if isinstance(key, int) else BY_NAME
    if isinstance(key, int) and key < 0:
        report.error(node.function(method), messages.negative_index(key))
        return None
    found = scene.ask(node.function(method), code, node.id, *layers, key, base, reply=BY_NAME)
    if found is None or found[0] < 0:
        return None
    index, type_, internal, count, *actual, name = found
    field = Field(node, layer, index, type_, name, bool(internal) or base or layer >= 0, count, base)
    field.actual = (actual[0], actual[1]) if actual else (-1, -1)
    known[(layer, key, base)] = field  # type: ignore[index]
    return field


class Proto:
    """A PROTO layer of a node."""

    def __init__(self, node: Node, layer: int, derived: bool, parameters: int, name: str) -> None:
        self.node, self.layer, self.derived, self.parameters, self.name = (
            node,
            layer,
            derived,
            parameters,
            name,
        )

    def get_type_name(self) -> str:
        """The name of the PROTO."""
        return self.name

    def is_derived(self) -> bool:
        """True if the PROTO is derived from another PROTO."""
        return self.derived

    def get_parent(self) -> Proto | None:
        """The PROTO that this PROTO is derived from, or None. Queries the simulator."""
        return find_proto(self.node, self.layer)

    def get_number_of_fields(self) -> int:
        """The number of parameters."""
        return self.parameters

    @needs("field_name", prefix="wb_supervisor_proto_")
    def get_field(self, field_name: str) -> Field | None:
        """The read-only parameter with a name, or None. Queries the simulator."""
        return find_field(self.node, "get_proto", self.layer, field_name, False)

    @needs("index", prefix="wb_supervisor_proto_")
    def get_field_by_index(self, index: int) -> Field | None:
        """The read-only parameter at an index (from 0), or None. Queries the simulator."""
        return find_field(self.node, "get_proto", self.layer, int(index), False)
