"""The messages of a Skin in the controller protocol."""

from __future__ import annotations

from wbridge.hal.protocol.codec import Codec, Message

CODEC = Codec(
    commands=(
        Message(1, "set_bone_orientation", "bone:u16 axis_angle:f64*4 absolute:bool"),
        Message(2, "set_bone_position", "bone:u16 position:f64*3 absolute:bool"),
        Message(3, "get_bone_orientation", "bone:u16 absolute:bool"),
        Message(4, "get_bone_position", "bone:u16 absolute:bool"),
    ),
    messages=(
        Message(0, "constants", "bones:str[u32]"),
        Message(3, "bone_orientation", "axis_angle:f64*4"),
        Message(4, "bone_position", "position:f64*3"),
    ),
)
