"""The messages of a Connector in the controller protocol."""

from __future__ import annotations

from wbridge.hal.protocol.codec import Codec, Message

CODEC = Codec(
    commands=(
        Message(1, "enable_presence", "period:u16"),
        Message(2, "lock"),
        Message(3, "unlock"),
    ),
    messages=(
        Message(0, "constants", "locked:bool"),
        Message(1, "presence", "presence:i16"),
    ),
)
