"""The requests and answers of the supervisor functions, with tag 0.

Most have plain layouts. The layout of some depends on preceding values, which needs special parts: field
values (62, 88, 89), optional periods (101 to 103), an optional name (82) and nodes (83 to 86).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from wbridge.hal.protocol.codec import Codec, Message
from wbridge.hal.protocol.dialect import Dialect
from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.fields import INSERTED, MF, SF_NODE, VALUES, single
from wbridge.hal.protocol.layout import Layout
from wbridge.hal.protocol.robot import COMMANDS, MESSAGES

_NODE = "id:u32 node_type:u32 tag:i32 parent:i32 is_proto:bool"
REFERENCE = Layout("node_type:u32 tag:i32 parent:i32 is_proto:bool model:str def_name:str")
U32, I32 = Layout("number:u32"), Layout("number:i32")
PERIOD = Layout("period:i32")


class SetValue:
    """Type, index and value of a queued set."""

    count, least = 3, 8

    def __init__(self) -> None:
        self.head = Layout("type:u32 index:i32")

    def read(self, data: bytes, at: int, values: list[Any]) -> int:
        """See `Part.read`."""
        (type_, index), at = self.head.read(data, at)
        (value,), at = single(type_, VALUES).read(data, at)
        values += (type_, index, value)
        return at

    def write(self, out: bytearray, values: Sequence[Any]) -> None:
        """See `Part.write`."""
        self.head.write(out, values[:2])
        single(values[0], VALUES).write(out, values[2:])


class RestOfBlock:
    """The rest of the block; only the scene knows the type of the field it belongs to."""

    count, least = 1, 0

    def read(self, data: bytes, at: int, values: list[Any]) -> int:
        """See `Part.read`."""
        values.append(data[at:])
        return len(data)

    def write(self, out: bytearray, values: Sequence[Any]) -> None:
        """See `Part.write`."""
        out += values[0]


class Optional:
    """A boolean and, if it is true, a value; None if it is false."""

    count, least = 1, 1

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def read(self, data: bytes, at: int, values: list[Any]) -> int:
        """See `Part.read`."""
        (there,), at = FLAG.read(data, at)
        value = None
        if there:
            (value,), at = self.layout.read(data, at)
        values.append(value)
        return at

    def write(self, out: bytearray, values: Sequence[Any]) -> None:
        """See `Part.write`."""
        FLAG.write(out, (values[0] is not None,))
        if values[0] is not None:
            self.layout.write(out, values)


FLAG = Layout("flag:bool")


class GotValue:
    """A field's value: type (0: the node was removed), node, PROTO layer, field and value."""

    count, least = 5, 4

    def __init__(self, proto_index: bool) -> None:
        self.head = Layout("node:i32 proto:i32 field:i32" if proto_index else "node:i32 field:i32")
        self.proto_index = proto_index

    def read(self, data: bytes, at: int, values: list[Any]) -> int:
        """See `Part.read`."""
        (type_,), at = I32.read(data, at)
        if type_ == 0:
            values += (0, -1, -1, -1, None)
            return at
        head, at = self.head.read(data, at)
        node, proto, field = head if self.proto_index else (head[0], -1, head[1])
        if type_ & ~MF == SF_NODE:
            value, at = self._node(data, at)
        else:
            (value,), at = single(type_, VALUES).read(data, at)
        values += (type_, node, proto, field, value)
        return at

    @staticmethod
    def _node(data: bytes, at: int) -> tuple[tuple[Any, ...] | None, int]:
        (uid,), at = U32.read(data, at)
        if uid == 0:
            return None, at
        reference, at = REFERENCE.read(data, at)
        return (uid, *reference), at

    def write(self, out: bytearray, values: Sequence[Any]) -> None:
        """See `Part.write`."""
        type_, node, proto, field, value = values
        I32.write(out, (type_,))
        if type_ == 0:
            return
        self.head.write(out, (node, proto, field) if self.proto_index else (node, field))
        if type_ & ~MF != SF_NODE:
            single(type_, VALUES).write(out, (value,))
        elif value is None:
            U32.write(out, (0,))
        else:
            U32.write(out, value[:1])
            REFERENCE.write(out, value[1:])


GOT = ("type", "node", "proto", "field", "value")
FOUND = _NODE + " in_proto:bool model:str def_name:str"
TRACK = Optional(PERIOD)


def _requests(proto: str) -> tuple[Message, ...]:
    """Controller to simulator; `proto` is the message field with the PROTO layer, if the dialect has it."""
    value = Layout("node:u32 field:u32", SetValue(), names=("type", "index", "value"))
    inserted = Layout("node:u32 field:u32 index:i32", RestOfBlock(), names=("value",))
    got = Layout(f"node:u32 {proto} field:u32 base:bool", RestOfBlock(), names=("index",))
    name = Layout("", Optional(Layout("file:str")), names=("file",))
    period = ("period",)
    return (
        Message(50, "export_image", "quality:u8 file:str"),
        Message(51, "load_world", "file:str"),
        Message(52, "reload_world"),
        Message(53, "set_label", "id:u16 x:f64 y:f64 size:f64 color:u32 text:str font:str"),
        Message(54, "quit_simulation", "status:i32"),
        Message(55, "reset_simulation"),
        Message(56, "set_mode", "mode:i32"),
        Message(57, "reset_world_physics"),
        Message(
            58,
            "start_movie",
            "width:i32 height:i32 codec:u8 quality:u8 acceleration:u8 caption:bool file:str",
        ),
        Message(59, "stop_movie"),
        Message(60, "start_animation", "file:str"),
        Message(61, "stop_animation"),
        Message(62, "set_field", value),
        Message(63, "remove_value", "node:u32 field:u32 index:i32"),
        Message(64, "get_field_by_index", f"node:u32 {proto} index:u32 base:bool"),
        Message(65, "count_fields", "node:u32 base:bool"),
        Message(66, "set_velocity", "node:u32 velocity:f64*6"),
        Message(67, "reset_physics", "node:u32"),
        Message(68, "restart_controller", "node:u32"),
        Message(69, "set_visibility", "node:u32 from:u32 visible:bool"),
        Message(70, "move_viewpoint", "node:u32"),
        Message(71, "add_force", "node:u32 force:f64*3 relative:bool"),
        Message(72, "add_force_with_offset", "node:u32 force:f64*3 offset:f64*3 relative:bool"),
        Message(73, "add_torque", "node:u32 torque:f64*3 relative:bool"),
        Message(74, "save_state", "node:u32 state:str"),
        Message(75, "load_state", "node:u32 state:str"),
        Message(76, "set_joint_position", "node:u32 position:f64 axis:u32"),
        Message(77, "export_node", "node:u32"),
        Message(78, "get_proto", "node:u32 proto:i32"),
        Message(82, "save_world", name),
        Message(83, "node_by_id", "id:i32"),
        Message(84, "node_by_def", "def_name:str proto_node:i32"),
        Message(85, "node_by_tag", "tag:i32"),
        Message(86, "selected_node"),
        Message(87, "get_field", f"node:u32 {proto} name:str base:bool"),
        Message(88, "get_value", got),
        Message(89, "insert_value", inserted),
        Message(90, "get_position", "node:u32"),
        Message(91, "get_orientation", "node:u32"),
        Message(92, "get_pose", "from:u32 node:u32"),
        Message(93, "get_center_of_mass", "node:u32"),
        Message(94, "get_contact_points", "node:u32 descendants:bool"),
        Message(95, "get_static_balance", "node:u32"),
        Message(96, "get_velocity", "node:u32"),
        Message(97, "remove_node", "node:u32"),
        Message(98, "headset_used"),
        Message(99, "headset_position"),
        Message(100, "headset_orientation"),
        Message(101, "track_field", Layout("node:i32 field:i32 base:bool", TRACK, names=period)),
        Message(102, "track_pose", Layout("from:i32 node:i32", TRACK, names=period)),
        Message(103, "track_contact_points", Layout("node:u32 descendants:bool", TRACK, names=period)),
    )


def _answers(proto_index: bool) -> tuple[Message, ...]:
    """Simulator to controller."""
    actual = "actual_node:i32 actual_field:i32 " if proto_index else ""
    messages = [
        Message(16, "animation_started", "ok:bool"),
        Message(17, "animation_stopped", "ok:bool"),
        Message(18, "movie_status", "status:u8"),
        Message(19, "proto_regenerated"),
        Message(20, "field_count", "node:i32 field:str count:i32"),
        Message(55, "simulation_was_reset"),
        Message(65, "number_of_fields", "count:i32"),
        Message(77, "exported_node", "text:str"),
        Message(82, "world_saved", "ok:bool"),
        Message(83, "node_by_id", FOUND),
        Message(84, "node_by_def", _NODE + " model:str"),
        Message(85, "node_by_tag", FOUND),
        Message(86, "selected_node", FOUND),
        Message(87, "field", f"field:i32 type:i32 internal:bool count:i32 {actual}name:str"),
        Message(88, "value", Layout("", GotValue(proto_index), names=GOT)),
        Message(89, "inserted_node", "node:i32"),
        Message(90, "position", "xyz:f64*3"),
        Message(91, "orientation", "matrix:f64*9"),
        Message(92, "pose", "from:i32 node:i32 matrix:f64*16"),
        Message(93, "center_of_mass", "xyz:f64*3"),
        Message(94, "contact_points", Layout("node:i32 descendants:bool", *CONTACTS, names=("points",))),
        Message(95, "static_balance", "balanced:bool"),
        Message(96, "velocity", "velocity:f64*6"),
        Message(97, "node_removed", "node:i32"),
        Message(98, "headset_used", "used:bool"),
        Message(99, "headset_position", "xyz:f64*3"),
        Message(100, "headset_orientation", "matrix:f64*9"),
    ]
    if proto_index:
        messages.append(Message(78, "proto", "proto:i32 derived:bool parameters:i32 name:str"))
    return tuple(messages)


class Contacts:
    """A list of contact points (x, y, z, node id), preceded by its length."""

    count, least = 1, 4
    one = Layout("x:f64 y:f64 z:f64 node:i32")

    def read(self, data: bytes, at: int, values: list[Any]) -> int:
        """See `Part.read`."""
        (count,), at = I32.read(data, at)
        if not 0 <= count * self.one.least <= len(data) - at:
            raise ProtocolError(f"{count} contact points in {len(data) - at} remaining bytes")
        end = at + count * self.one.least
        values.append([self.one.read(data, i)[0] for i in range(at, end, self.one.least)])
        return int(end)

    def write(self, out: bytearray, values: Sequence[Any]) -> None:
        """See `Part.write`."""
        I32.write(out, (len(values[0]),))
        for item in values[0]:
            self.one.write(out, item)


CONTACTS = (Contacts(),)


@cache
def robot_codec(dialect: Dialect) -> Codec:
    """The codec of tag 0 in a dialect: the robot's own messages and the supervisor's."""
    requests = _requests("proto:i32" if dialect.proto_index else "")
    return Codec(
        commands=(*COMMANDS, *requests),
        messages=(*MESSAGES, *_answers(dialect.proto_index)),
    )


def read_inserted(type_: int, data: bytes) -> Any:
    """Decode a value to insert into a field of this type.

    Raises:
        ProtocolError: the bytes are not a value of this type.
    """
    return single(type_, INSERTED).read(data, 0)[0][0]
