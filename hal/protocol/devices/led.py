"""The messages of an LED in the controller protocol."""

from __future__ import annotations

from wbridge.hal.protocol.codec import Codec, Message

CODEC = Codec(
    commands=(Message(1, "set", "value:i32"),),
)
