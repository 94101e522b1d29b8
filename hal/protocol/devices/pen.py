"""The messages of a Pen in the controller protocol."""

from __future__ import annotations

from wbridge.hal.protocol.codec import Codec, Message

CODEC = Codec(
    commands=(
        Message(1, "write"),
        Message(2, "lift"),
        Message(4, "set_ink_color", "red:u8 green:u8 blue:u8 density:f64"),
    ),
)
