"""The messages of a Lidar in the controller protocol."""

from __future__ import annotations

from wbridge.hal.protocol.codec import Codec, Message
from wbridge.hal.protocol.shared_file import SHARED_FILE

RANGES = (
    "max_range:f64 layers:u16 frequency:f64 min_frequency:f64 max_frequency:f64 vertical_fov:f64 "
    "horizontal_resolution:f64"
)

CODEC = Codec(
    commands=(
        Message(1, "enable", "period:u16"),
        Message(16, "set_frequency", "frequency:f64"),
        Message(17, "enable_point_cloud"),
        Message(18, "disable_point_cloud"),
    ),
    messages=(
        Message(0, "constants", "id:u32 width:u16 height:u16 fov:f64 near:f64 planar:u8 " + RANGES),
        Message(7, "optics", "fov:f64 near:f64 planar:u8 " + RANGES),
        Message(8, "image_file", SHARED_FILE),
    ),
)
