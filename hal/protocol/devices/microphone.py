"""The messages of a Microphone in the controller protocol."""

from __future__ import annotations

from wbridge.hal.protocol.codec import Codec, Message

CODEC = Codec(
    commands=(Message(1, "enable", "period:u16"),),
    messages=(
        Message(0, "constants", "aperture:f64 sensitivity:f64"),
        Message(1, "samples", "data:bytes32"),
    ),
)
