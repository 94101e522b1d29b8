"""The messages of a Camera in the controller protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wbridge.hal.protocol.codec import Codec, Message
from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.layout import Layout
from wbridge.hal.protocol.shared_file import SHARED_FILE

ZOOM = (
    "min_fov:f64 max_fov:f64 recognition:bool segmentation:bool exposure:f64 focal_length:f64 "
    "focal_distance:f64 min_focal_distance:f64 max_focal_distance:f64"
)
OPTICS = "fov:f64 near:f64 planar:u8 " + ZOOM
OBJECT = Layout(
    "id:i32 position:f64*3 orientation:f64*4 size:f64*2 position_on_image:i32*2 size_on_image:i32*2 "
    "colors:f64*3[] model:str"
)


class RecognizedObjects:
    """A list of recognized objects, each with its own layout."""

    count, least = 1, 4

    def read(self, data: bytes, at: int, values: list[Any]) -> int:
        """See `Part.read`."""
        (count,), at = COUNT.read(data, at)
        if not 0 <= count * OBJECT.least <= len(data) - at:
            raise ProtocolError(f"{count} objects in {len(data) - at} remaining bytes")
        objects = []
        for _ in range(count):
            item, at = OBJECT.read(data, at)
            objects.append(item)
        values.append(objects)
        return at

    def write(self, out: bytearray, values: Sequence[Any]) -> None:
        """See `Part.write`."""
        out += COUNT.pack(len(values[0]))
        for item in values[0]:
            OBJECT.write(out, item)


COUNT = Layout("count:i32")

CODEC = Codec(
    commands=(
        Message(1, "enable", "period:u16"),
        Message(4, "set_fov", "fov:f64"),
        Message(5, "set_focal_distance", "focal_distance:f64"),
        Message(6, "set_exposure", "exposure:f64"),
        Message(10, "enable_recognition", "period:u16"),
        Message(11, "enable_segmentation", "on:bool"),
    ),
    messages=(
        Message(0, "constants", "id:u32 width:u16 height:u16 " + OPTICS),
        Message(7, "optics", OPTICS),
        Message(8, "image_file", SHARED_FILE),
        Message(12, "objects", Layout("", RecognizedObjects(), names=("objects",))),
        Message(13, "segmentation_file", SHARED_FILE),
        Message(14, "segmentation", "available:bool"),
    ),
)
