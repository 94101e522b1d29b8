"""A field as the supervisor functions access it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wbridge.hal.modes.arguments import needs
from wbridge.hal.protocol.fields import MF, SF_NODE, TYPE_NAMES
from wbridge.hal.protocol.supervisor import pack_inserted
from wbridge.hal.reports import messages, report

if TYPE_CHECKING:
    from wbridge.hal.modes.scene.node import Node

__all__ = ["Field"]

REMOVE, GET, INSERT, TRACK = 63, 88, 89, 101
BOOL, INT32, FLOAT, VEC2F, VEC3F, ROTATION, COLOR, STRING = range(1, 9)
WIDTHS = {VEC2F: 2, VEC3F: 3, ROTATION: 4, COLOR: 3}
NAN = float("nan")
FORMER_SINGLES = {"centerOfMass": VEC3F}
"""Lists that are single in the manual of 8.3.1: functions for single values access the first element."""


class Field:
    """A field of a node, or a parameter of a PROTO."""

    def __init__(
        self,
        node: Node,
        layer: int,
        index: int,
        type_: int,
        name: str,
        internal: bool,
        count: int,
        base: bool,
    ) -> None:
        self.node, self.layer, self.index, self.type, self.name = node, layer, index, type_, name
        self.internal, self.count, self.base = internal, count, base
        self.actual = (-1, -1)
        self._last: dict[bytes, Any] = {}
        """The last value of the field (no key) or of its elements that was queried."""

    # Properties. A field of a removed node has no type.

    def is_here(self, method: str) -> bool:
        """Return False and report an error if the node was removed."""
        if not self.node.exists:
            self.error(method, messages.field_of_removed_node(self.name))
        return self.node.exists

    def get_name(self) -> str:
        """The name of the field."""
        return self.name

    def get_type(self) -> int:
        """The number of the field's type: 1 SFBool to 9 SFNode, 17 MFBool to 25 MFNode."""
        return self.type if self.is_here("get_type") else 0

    def get_type_name(self) -> str:
        """The name of the field's type, for example "SFVec3f"."""
        return TYPE_NAMES.get(self.type, "") if self.is_here("get_type_name") else ""

    def get_count(self) -> int:
        """The number of elements of a multiple-value field, or -1 for a single-value field."""
        return self.count if self.is_here("get_count") and self.type & MF else -1

    def get_actual_field(self) -> Field | None:
        """The visible field that this internal PROTO field is connected to with IS, or None.

        A field that is not internal to a PROTO returns itself. Queries the simulator.
        """
        if not self.internal:
            return self
        uid, index = self.actual
        node = self.node.scene.get_from_id(uid) if uid >= 0 else None
        return node.get_field_by_index(index) if node else None

    # Checks.

    def function(self, method: str) -> str:
        """The name of the C function that calls a method."""
        return "wb_supervisor_field_" + method

    def error(self, method: str, text: str) -> None:
        """Report an invalid call of a method on stderr."""
        report.error(self.function(method), text)

    def _is(self, method: str, type_: int) -> bool:
        if not self.node.is_here("get_field"):
            return False
        if self.type == type_:
            return True
        found = TYPE_NAMES.get(self.type)
        self.error(method, messages.field_of_other_type(self.name, found))
        return False

    def _was_single(self, type_: int) -> bool:
        return self.type == MF + type_ and FORMER_SINGLES.get(self.name) == type_

    def _may_write(self, method: str) -> bool:
        if self.internal:
            self.error(method, messages.read_only_field(self.name))
        return not self.internal

    def _item(self, method: str, index: int, count: int) -> int | None:
        """The index of an element among `count`; a negative index counts from the end."""
        if -count <= index < count:
            return index % count
        if count:
            self.error(method, messages.item_out_of_range(index, self.name, -count, count - 1))
        else:
            self.error(method, messages.item_of_empty_list(index, self.name))
        return None

    def _checked(self, method: str, type_: int, value: Any) -> Any:
        """Convert a value to a field type; None, with an error message, if that fails."""
        try:
            if type_ in WIDTHS:
                numbers = tuple(float(one) for one in value)
                if len(numbers) != WIDTHS[type_] or any(one != one for one in numbers):
                    raise ValueError(f"expected {WIDTHS[type_]} numbers")
                return numbers
            made = {BOOL: bool, INT32: int, FLOAT: float, STRING: str}[type_](value)
            if made != made:
                raise ValueError("expected a number")
            return made
        except (TypeError, ValueError) as problem:
            self.error(method, f"called with {value!r}: {problem}.")
            return None

    # Reading and writing.

    def _get(self, method: str, type_: int, item: int = -1) -> Any:
        """The value of the field or of an element; None, with an error message, if there is none."""
        if self._was_single(type_):
            return self._get(method, self.type, 0) if self.count else self._default()
        if not self._is(method, type_):
            return None
        single = not type_ & MF
        place = None if single else self._item(method, item, self.count)
        if not single and place is None:
            return None
        scene, uid = self.node.scene, self.node.id
        queued = (
            scene.sets.get((uid, self.index, -1 if place is None else place)) if not self.internal else None
        )
        if queued is not None:
            return queued[1]
        if single and not self.base:
            time, value = scene.values.get((uid, self.layer, self.index), (NAN, None))
            if time == scene.robot.time:
                return value
        return self._ask(method, b"" if place is None else place.to_bytes(4, "little"))

    def _ask(self, method: str, item: bytes) -> Any:
        scene, layers = self.node.scene, (self.layer,)
        if not scene.exchange.dialect.proto_index:
            layers = ()  # type: ignore[assignment]
        found = scene.ask(self.function(method), GET, self.node.id, *layers, self.index, self.base, item)
        if found and found[0]:
            self._last[item] = found[4]
        elif scene.exchange.is_over:
            return self._last.get(item, self._default())
        return found[4] if found and found[0] else None

    def _default(self) -> Any:
        """The value of an empty field, or of one that was never read before the simulation ended."""
        type_ = self.type & ~MF
        return (0.0,) * WIDTHS[type_] if type_ in WIDTHS else None

    def _vector(self, method: str, type_: int, item: int = -1) -> list[float] | None:
        found = self._get(method, type_, item)
        return None if found is None else list(found)

    def _node(self, method: str, type_: int, item: int = -1) -> Node | None:
        found = self._get(method, type_, item)
        if found is None:
            return None
        uid, node_type, tag, parent, is_proto, model, def_name = found
        return self.node.scene.node(uid, node_type, tag, parent, is_proto, model, def_name=def_name)

    def _set(self, method: str, type_: int, value: Any, item: int = -1) -> None:
        if self._was_single(type_):
            if not self.count:
                self._insert(method, self.type, 0, value)
                return
            type_, item = self.type, 0
        if not self._is(method, type_) or not self._may_write(method):
            return
        place: int | None = -1
        if type_ & MF:
            place = self._item(method, item, self.count)
        checked = self._checked(method, type_ & ~MF, value)
        if place is not None and checked is not None:
            self.node.scene.sets[self.node.id, self.index, place] = (self, checked)

    def _insert(self, method: str, type_: int, item: int, value: Any) -> None:
        if not self._is(method, type_) or not self._may_write(method):
            return
        place = self._item(method, item, self.count + 1)
        checked = self._checked(method, type_ & ~MF if type_ != MF + SF_NODE else STRING, value)
        if place is not None and checked is not None:
            self._now(method, INSERT, place, pack_inserted(type_, checked))

    def _now(self, method: str, code: int, *values: Any) -> tuple[Any, ...] | None:
        """Change the field immediately, after all queued sets."""
        scene = self.node.scene
        if not scene.may(self.function(method)):
            return None
        scene.send_sets()
        scene.values.pop((self.node.id, self.layer, self.index), None)
        return scene.ask(self.function(method), code, self.node.id, self.index, *values)

    @needs("index")
    def remove_mf(self, index: int) -> None:
        """Remove an element at an index; -1 is the last. Takes effect immediately."""
        if not self.type & MF:
            self.error("remove_mf", messages.field_is_no_list(self.name))
        elif self._may_write("remove_mf"):
            place = self._item("remove_mf", int(index), self.count)
            if place is not None:
                self._now("remove_mf", REMOVE, place)

    def remove_mf_node(self, position: int) -> None:
        """Old name of `remove_mf`."""
        self.remove_mf(position)

    def remove_sf(self) -> None:
        """Remove the node of an SFNode field. Takes effect immediately."""
        if self._is("remove_sf", SF_NODE) and self._may_write("remove_sf"):
            self._now("remove_sf", REMOVE, -1)

    @needs("position", "node_string")
    def import_mf_node_from_string(self, position: int, node_string: str) -> None:
        """Insert a node, given in world file syntax, into an MFNode field. Takes effect immediately.

        Args:
            position: index of the new node (from 0); -1 appends.
            node_string: for example 'DEF BALL Ball { translation 0 0 1 }'.
        """
        self._insert("import_mf_node_from_string", MF + SF_NODE, int(position), node_string)

    @needs("node_string")
    def import_sf_node_from_string(self, node_string: str) -> None:
        """Set an empty SFNode field to a node given in world file syntax. Takes effect immediately."""
        method = "import_sf_node_from_string"
        if self._is(method, SF_NODE) and self._may_write(method):
            self._now(method, INSERT, -1, pack_inserted(SF_NODE, node_string))

    @needs("position", "filename")
    def import_mf_node(self, position: int, filename: str) -> None:
        """Insert the nodes of a file into an MFNode field (see `import_mf_node_from_string`)."""
        try:
            with open(filename, encoding="utf-8") as file:
                text = file.read()
        except (OSError, UnicodeDecodeError) as problem:
            self.error("import_mf_node", f"could not read the file: {problem}.")
            return
        self._insert("import_mf_node", MF + SF_NODE, int(position), text)

    def enable_sf_tracking(self, sampling_period: int) -> None:
        """Enable the tracking of a single-value field: the simulator sends its value periodically.

        Args:
            sampling_period: in ms; above 0.
        """
        if sampling_period <= 0:
            self.error("enable_sf_tracking", messages.invalid_field_period(sampling_period))
        elif self.type & MF:
            self.error("enable_sf_tracking", messages.field_is_a_list(self.name))
        else:
            self._track("enable_sf_tracking", int(sampling_period))

    def disable_sf_tracking(self) -> None:
        """Disable the tracking of the field."""
        self._track("disable_sf_tracking", None)

    def _track(self, method: str, period: int | None) -> None:
        scene = self.node.scene
        scene.command(self.function(method), TRACK, self.node.id, self.index, self.base, period)

    # One function for each type.

    def get_sf_bool(self) -> bool:
        """The boolean value; False for a field of another type. Queries the simulator."""
        found = self._get("get_sf_bool", BOOL)
        return False if found is None else bool(found)

    @needs("index", otherwise=False)
    def get_mf_bool(self, index: int) -> bool:
        """The boolean value at an index; -1 is the last. Queries the simulator."""
        found = self._get("get_mf_bool", MF + BOOL, int(index))
        return False if found is None else bool(found)

    def set_sf_bool(self, value: bool) -> None:
        """Set the boolean value, effective with the next step."""
        self._set("set_sf_bool", BOOL, value)

    @needs("index")
    def set_mf_bool(self, index: int, value: bool) -> None:
        """Set the boolean value at an index, effective with the next step; -1 is the last."""
        self._set("set_mf_bool", MF + BOOL, value, int(index))

    @needs("index")
    def insert_mf_bool(self, index: int, value: bool) -> None:
        """Insert a boolean value before an index; -1 appends. Takes effect immediately."""
        self._insert("insert_mf_bool", MF + BOOL, int(index), value)

    def get_sf_int32(self) -> int:
        """The integer value; 0 for a field of another type. Queries the simulator."""
        found = self._get("get_sf_int32", INT32)
        return 0 if found is None else int(found)

    @needs("index", otherwise=0)
    def get_mf_int32(self, index: int) -> int:
        """The integer value at an index; -1 is the last. Queries the simulator."""
        found = self._get("get_mf_int32", MF + INT32, int(index))
        return 0 if found is None else int(found)

    def set_sf_int32(self, value: int) -> None:
        """Set the integer value, effective with the next step."""
        self._set("set_sf_int32", INT32, value)

    @needs("index")
    def set_mf_int32(self, index: int, value: int) -> None:
        """Set the integer value at an index, effective with the next step; -1 is the last."""
        self._set("set_mf_int32", MF + INT32, value, int(index))

    @needs("index")
    def insert_mf_int32(self, index: int, value: int) -> None:
        """Insert an integer value before an index; -1 appends. Takes effect immediately."""
        self._insert("insert_mf_int32", MF + INT32, int(index), value)

    def get_sf_float(self) -> float:
        """The floating-point value; 0 for a field of another type. Queries the simulator."""
        found = self._get("get_sf_float", FLOAT)
        return 0.0 if found is None else float(found)

    @needs("index", otherwise=0.0)
    def get_mf_float(self, index: int) -> float:
        """The floating-point value at an index; -1 is the last. Queries the simulator."""
        found = self._get("get_mf_float", MF + FLOAT, int(index))
        return 0.0 if found is None else float(found)

    def set_sf_float(self, value: float) -> None:
        """Set the floating-point value, effective with the next step."""
        self._set("set_sf_float", FLOAT, value)

    @needs("index")
    def set_mf_float(self, index: int, value: float) -> None:
        """Set the floating-point value at an index, effective with the next step; -1 is the last."""
        self._set("set_mf_float", MF + FLOAT, value, int(index))

    @needs("index")
    def insert_mf_float(self, index: int, value: float) -> None:
        """Insert a floating-point value before an index; -1 appends. Takes effect immediately."""
        self._insert("insert_mf_float", MF + FLOAT, int(index), value)

    def get_sf_string(self) -> str:
        """The string; empty for a field of another type. Queries the simulator."""
        found = self._get("get_sf_string", STRING)
        return "" if found is None else str(found)

    @needs("index", otherwise="")
    def get_mf_string(self, index: int) -> str:
        """The string at an index; -1 is the last. Queries the simulator."""
        found = self._get("get_mf_string", MF + STRING, int(index))
        return "" if found is None else str(found)

    @needs("value")
    def set_sf_string(self, value: str) -> None:
        """Set the string, effective with the next step."""
        self._set("set_sf_string", STRING, value)

    @needs("index", "value")
    def set_mf_string(self, index: int, value: str) -> None:
        """Set the string at an index, effective with the next step; -1 is the last."""
        self._set("set_mf_string", MF + STRING, value, int(index))

    @needs("index", "value")
    def insert_mf_string(self, index: int, value: str) -> None:
        """Insert a string before an index; -1 appends. Takes effect immediately."""
        self._insert("insert_mf_string", MF + STRING, int(index), value)

    def get_sf_vec2f(self) -> list[float] | None:
        """The value: x and y; None for another type. Queries the simulator."""
        return self._vector("get_sf_vec2f", VEC2F)

    @needs("index")
    def get_mf_vec2f(self, index: int) -> list[float] | None:
        """The value at an index: x and y; -1 is the last. Queries the simulator."""
        return self._vector("get_mf_vec2f", MF + VEC2F, int(index))

    def set_sf_vec2f(self, values: Sequence[float]) -> None:
        """Set the value, effective with the next step: x and y."""
        self._set("set_sf_vec2f", VEC2F, values)

    @needs("index")
    def set_mf_vec2f(self, index: int, values: Sequence[float]) -> None:
        """Set the value at an index, effective with the next step: x and y; -1 is the last."""
        self._set("set_mf_vec2f", MF + VEC2F, values, int(index))

    @needs("index")
    def insert_mf_vec2f(self, index: int, values: Sequence[float]) -> None:
        """Insert a value before an index: x and y; -1 appends. Takes effect immediately."""
        self._insert("insert_mf_vec2f", MF + VEC2F, int(index), values)

    def get_sf_vec3f(self) -> list[float] | None:
        """The value: x, y and z; None for another type. Queries the simulator."""
        return self._vector("get_sf_vec3f", VEC3F)

    @needs("index")
    def get_mf_vec3f(self, index: int) -> list[float] | None:
        """The value at an index: x, y and z; -1 is the last. Queries the simulator."""
        return self._vector("get_mf_vec3f", MF + VEC3F, int(index))

    def set_sf_vec3f(self, values: Sequence[float]) -> None:
        """Set the value, effective with the next step: x, y and z."""
        self._set("set_sf_vec3f", VEC3F, values)

    @needs("index")
    def set_mf_vec3f(self, index: int, values: Sequence[float]) -> None:
        """Set the value at an index, effective with the next step: x, y and z; -1 is the last."""
        self._set("set_mf_vec3f", MF + VEC3F, values, int(index))

    @needs("index")
    def insert_mf_vec3f(self, index: int, values: Sequence[float]) -> None:
        """Insert a value before an index: x, y and z; -1 appends. Takes effect immediately."""
        self._insert("insert_mf_vec3f", MF + VEC3F, int(index), values)

    def get_sf_rotation(self) -> list[float] | None:
        """The value: axis x, y, z, and angle in rad; None for another type. Queries the simulator."""
        return self._vector("get_sf_rotation", ROTATION)

    @needs("index")
    def get_mf_rotation(self, index: int) -> list[float] | None:
        """The value at an index: axis x, y, z, and angle in rad; -1 is the last. Queries the simulator."""
        return self._vector("get_mf_rotation", MF + ROTATION, int(index))

    def set_sf_rotation(self, values: Sequence[float]) -> None:
        """Set the value, effective with the next step: axis x, y, z, and angle in rad."""
        self._set("set_sf_rotation", ROTATION, values)

    @needs("index")
    def set_mf_rotation(self, index: int, values: Sequence[float]) -> None:
        """Set the value at an index, effective with the next step: axis x, y, z, and angle in rad."""
        self._set("set_mf_rotation", MF + ROTATION, values, int(index))

    @needs("index")
    def insert_mf_rotation(self, index: int, values: Sequence[float]) -> None:
        """Insert a value before an index: axis x, y, z, and angle in rad; -1 appends. Takes effect now."""
        self._insert("insert_mf_rotation", MF + ROTATION, int(index), values)

    def get_sf_color(self) -> list[float] | None:
        """The value: red, green and blue, 0 to 1; None for another type. Queries the simulator."""
        return self._vector("get_sf_color", COLOR)

    @needs("index")
    def get_mf_color(self, index: int) -> list[float] | None:
        """The value at an index: red, green and blue, 0 to 1; -1 is the last. Queries the simulator."""
        return self._vector("get_mf_color", MF + COLOR, int(index))

    def set_sf_color(self, values: Sequence[float]) -> None:
        """Set the value, effective with the next step: red, green and blue, 0 to 1."""
        self._set("set_sf_color", COLOR, values)

    @needs("index")
    def set_mf_color(self, index: int, values: Sequence[float]) -> None:
        """Set the value at an index, effective with the next step: red, green and blue, 0 to 1."""
        self._set("set_mf_color", MF + COLOR, values, int(index))

    @needs("index")
    def insert_mf_color(self, index: int, values: Sequence[float]) -> None:
        """Insert a value before an index: red, green, blue; -1 appends. Takes effect immediately."""
        self._insert("insert_mf_color", MF + COLOR, int(index), values)

    def get_sf_node(self) -> Node | None:
        """The node of the field, or None if it is empty. Queries the simulator."""
        return self._node("get_sf_node", SF_NODE)

    @needs("index")
    def get_mf_node(self, index: int) -> Node | None:
        """The node at an index, or None; -1 is the last. Queries the simulator."""
        return self._node("get_mf_node", MF + SF_NODE, int(index))
