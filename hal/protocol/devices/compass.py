"""The messages of a Compass in the controller protocol."""

from __future__ import annotations

from wbridge.hal.protocol.codec import Codec, Message

CODEC = Codec(
    commands=(Message(1, "enable", "period:u16"),),
    messages=(
        Message(0, "constants", "lookup_table:f64*3[]"),
        Message(52, "values", "values:f64*3"),
    ),
)
