"""The messages of a GPS in the controller protocol."""

from __future__ import annotations

from wbridge.hal.protocol.codec import Codec, Message

CODEC = Codec(
    commands=(Message(1, "enable", "period:u16"),),
    messages=(
        Message(0, "constants", "coordinate_system:i32"),
        Message(2, "values", "position:f64*3 speed:f64 velocity:f64*3"),
    ),
)
