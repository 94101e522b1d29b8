"""The messages of a Radar in the controller protocol."""

from __future__ import annotations

from wbridge.hal.protocol.codec import Codec, Message

CODEC = Codec(
    commands=(Message(1, "enable", "period:u16"),),
    messages=(
        Message(0, "constants", "min_range:f64 max_range:f64 horizontal_fov:f64 vertical_fov:f64"),
        Message(1, "targets", "targets:f64*4[]"),
    ),
)
