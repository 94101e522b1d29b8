"""The messages of a Receiver in the controller protocol."""

from __future__ import annotations

from wbridge.hal.protocol.codec import Codec, Message

CODEC = Codec(
    commands=(
        Message(1, "enable", "period:u16"),
        Message(2, "set_channel", "channel:i32"),
    ),
    messages=(
        Message(0, "constants", "buffer_size:i32 channel:i32 allowed_channels:i32[]"),
        Message(1, "packet", "channel:i32 direction:f64*3 strength:f64 data:bytes32"),
    ),
)
