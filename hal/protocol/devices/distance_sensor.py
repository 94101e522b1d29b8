"""The messages of a DistanceSensor in the controller protocol."""

from __future__ import annotations

from wbridge.hal.protocol.codec import Codec, Message

CODEC = Codec(
    commands=(Message(1, "enable", "period:u16"),),
    messages=(
        Message(0, "constants", "type:i32 min_value:f64 max_value:f64 aperture:f64 lookup_table:f64*3[]"),
        Message(50, "value", "value:f64"),
    ),
)
