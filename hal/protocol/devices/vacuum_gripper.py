"""The messages of a VacuumGripper in the controller protocol."""

from __future__ import annotations

from wbridge.hal.protocol.codec import Codec, Message

CODEC = Codec(
    commands=(
        Message(1, "enable_presence", "period:u16"),
        Message(2, "turn_on"),
        Message(3, "turn_off"),
    ),
    messages=(
        Message(0, "constants", "on:bool"),
        Message(1, "presence", "presence:bool"),
    ),
)
