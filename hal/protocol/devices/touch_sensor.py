"""The messages of a TouchSensor in the controller protocol."""

from __future__ import annotations

from wbridge.hal.protocol.codec import Codec, Message

CODEC = Codec(
    commands=(Message(1, "enable", "period:u16"),),
    messages=(
        Message(0, "constants", "type:i32 lookup_table:f64*3[]"),
        Message(40, "value", "value:f64"),
        Message(41, "values", "values:f64*3"),
    ),
)
