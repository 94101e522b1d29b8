"""The messages of a RangeFinder in the controller protocol."""

from __future__ import annotations

from wbridge.hal.protocol.codec import Codec, Message
from wbridge.hal.protocol.shared_file import SHARED_FILE

OPTICS = "fov:f64 near:f64 planar:u8 max_range:f64"

CODEC = Codec(
    commands=(Message(1, "enable", "period:u16"),),
    messages=(
        Message(0, "constants", "id:u32 width:u16 height:u16 " + OPTICS),
        Message(7, "optics", OPTICS),
        Message(8, "image_file", SHARED_FILE),
    ),
)
