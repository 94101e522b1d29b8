"""The messages of an InertialUnit in the controller protocol."""

from __future__ import annotations

from wbridge.hal.protocol.codec import Codec, Message

CODEC = Codec(
    commands=(Message(1, "enable", "period:u16"),),
    messages=(
        Message(0, "constants", "noise:f64 coordinate_system:str"),
        Message(54, "quaternion", "xyzw:f64*4"),
        # Of wbridge, only for worlds from before R2021a with a lookup table or a disabled axis.
        Message(200, "angles", "roll_pitch_yaw:f64*3"),
    ),
)
