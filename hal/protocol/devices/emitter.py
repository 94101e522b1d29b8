"""The messages of an Emitter in the controller protocol."""

from __future__ import annotations

from wbridge.hal.protocol.codec import Codec, Message

CODEC = Codec(
    commands=(
        Message(0, "send", "channel:i32 range:f64 data:bytes32"),
        Message(1, "set_channel", "channel:i32"),
        Message(2, "set_range", "range:f64"),
    ),
    messages=(
        Message(
            0,
            "constants",
            "buffer_size:i32 channel:i32 bytes_per_ms:f64 range:f64 max_range:f64 allowed_channels:i32[]",
        ),
        Message(1, "channel", "channel:i32"),
        Message(2, "range", "range:f64"),
        Message(3, "buffer_size", "buffer_size:i32"),
        Message(4, "allowed_channels", "allowed_channels:i32[]"),
    ),
)
