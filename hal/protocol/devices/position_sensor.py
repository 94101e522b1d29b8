"""The messages of a PositionSensor in the controller protocol."""

from __future__ import annotations

from wbridge.hal.protocol.codec import Codec, Message

CODEC = Codec(
    commands=(
        Message(1, "enable", "period:u16"),
        Message(2, "get_sibling", "node_type:u16"),
    ),
    messages=(
        Message(0, "constants", "type:i32"),
        Message(1, "value", "value:f64"),
        Message(2, "sibling", "tag:u16"),
    ),
)
