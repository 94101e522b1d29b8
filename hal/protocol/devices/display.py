"""The messages of a Display: drawing commands in the order of the calls, and images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wbridge.hal.protocol.codec import Codec, Message
from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.layout import Layout

DEVICE_STATE = 69
"""Code of the command and message that transfer all images when remote mode begins."""
PIXEL_SIZES = {3: 3, 4: 4, 5: 4, 6: 4, 7: 4}
"""Bytes per pixel by format: 3 RGB, 4 RGBA, 5 ARGB, 6 BGRA, 7 ABGR."""
COUNT = Layout("count:i16")


class Points:
    """A count, that many x and that many y, in pixels; two values: the lists of x and y."""

    count, least = 2, 2

    def read(self, data: bytes, at: int, values: list[Any]) -> int:
        """See `Part.read`."""
        (count,), at = COUNT.read(data, at)
        if not 0 <= 8 * count <= len(data) - at:
            raise ProtocolError(f"{count} points in {len(data) - at} remaining bytes")
        numbers = memoryview(data)[at : at + 8 * count].cast("i").tolist()
        values += (numbers[:count], numbers[count:])
        return at + 8 * int(count)

    def write(self, out: bytearray, values: Sequence[Any]) -> None:
        """See `Part.write`."""
        xs, ys = values
        if len(xs) != len(ys):
            raise ValueError(f"{len(xs)} x and {len(ys)} y")
        out += COUNT.pack(len(xs))
        for coordinate in (*xs, *ys):
            out += int(coordinate).to_bytes(4, "little", signed=True)


class Pixels:
    """Width, height, an optional format (default 6), and the pixels; four values."""

    count, least = 4, 4

    def __init__(self, size: str, with_format: bool) -> None:
        self.head = Layout(f"width:{size} height:{size}" + (" format:u8" if with_format else ""))
        self.with_format = with_format

    def read(self, data: bytes, at: int, values: list[Any]) -> int:
        """See `Part.read`."""
        head, at = self.head.read(data, at)
        width, height, format_ = head if self.with_format else (*head, 6)
        size = width * height * PIXEL_SIZES.get(format_, 0)
        if width < 0 or height < 0 or format_ not in PIXEL_SIZES or size > len(data) - at:
            raise ProtocolError(f"an image of {width} x {height} pixels, format {format_}")
        values += (width, height, format_, data[at : at + size])
        return at + int(size)

    def write(self, out: bytearray, values: Sequence[Any]) -> None:
        """See `Part.write`."""
        width, height, format_, pixels = values
        wanted = width * height * PIXEL_SIZES.get(format_, 0)
        if len(pixels) != wanted or (format_ != 6 and not self.with_format):
            raise ValueError(f"{len(pixels)} bytes of pixels, expected {wanted}, format {format_}")
        out += self.head.pack(*values[: 3 if self.with_format else 2])
        out += pixels


class Images:
    """A count, the screen and that many images; one value: a list of (id, width, height, format, pixels)."""

    count, least = 1, 4
    one = Layout("id:i32", Pixels("i16", False), names=("width", "height", "format", "pixels"))

    def read(self, data: bytes, at: int, values: list[Any]) -> int:
        """See `Part.read`."""
        (count,), at = PICTURES.read(data, at)
        (width, height, format_, pixels), at = SCREEN.read(data, at)
        images: list[Any] = [(0, width, height, format_, pixels)]
        for _ in range(count):
            image, at = self.one.read(data, at)
            images.append(image)
        values.append(images)
        return at

    def write(self, out: bytearray, values: Sequence[Any]) -> None:
        """See `Part.write`."""
        screen, *others = values[0]
        out += PICTURES.pack(len(others))
        out += SCREEN.pack(*screen[1:])
        for extra in others:
            self.one.write(out, extra)


PICTURES = Layout("count:i32")
SCREEN = Layout("", Pixels("i16", False), names=("width", "height", "format", "pixels"))


def _shape(rest: str = "") -> Layout:
    after = Layout(rest)
    return Layout("", Points(), *after.parts, names=("x", "y", *after.names))


_PIXELS = ("width", "height", "format", "pixels")

CODEC = Codec(
    commands=(
        Message(16, "set_color", "rgb:i32"),
        Message(17, "set_alpha", "alpha:u8"),
        Message(18, "set_opacity", "opacity:u8"),
        Message(19, "set_font", "size:u32 anti_aliasing:bool font:lstr16"),
        Message(20, "attach_camera", "tag:u16"),
        Message(21, "detach_camera"),
        Message(32, "draw_pixel", _shape()),
        Message(33, "draw_line", _shape()),
        Message(34, "draw_text", _shape("text:str")),
        Message(35, "draw_rectangle", _shape("fill:bool")),
        Message(36, "draw_oval", _shape("fill:bool")),
        Message(37, "draw_polygon", _shape("fill:bool")),
        Message(64, "image_copy", "id:i32 x:i16 y:i16 width:i16 height:i16"),
        Message(65, "image_paste", "id:i32 x:i16 y:i16 blend:bool"),
        Message(66, "image_save", "id:i32"),
        Message(67, "image_new", Layout("id:i32", Pixels("i16", True), names=_PIXELS)),
        Message(68, "image_delete", "id:i32"),
        Message(DEVICE_STATE, "get_state"),
    ),
    messages=(
        Message(0, "constants", "width:u16 height:u16"),
        Message(66, "image", Layout("id:i32", Pixels("i32", False), names=_PIXELS)),
        Message(
            DEVICE_STATE,
            "state",
            Layout(
                "",
                Images(),
                *Layout("rgb:i32 alpha:u8 opacity:u8").parts,
                names=("pictures", "rgb", "alpha", "opacity"),
            ),
        ),
    ),
)
