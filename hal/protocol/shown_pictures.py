"""Pictures that a controller shows in windows of its own, such as those of OpenCV.

A picture travels like a message to the robot window: the head, which no text begins with, then columns, rows
and length of the window's name as 16-bit numbers, the name as UTF-8, and the pixels.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

HEAD = b"\xffwbridge picture\0"
SIZES = struct.Struct("<HHH")
LARGEST = 320
"""Maximum columns and rows."""


class ShownPicture(NamedTuple):
    """A picture in a window."""

    name: str
    """Of the window."""
    width: int
    """Columns, at most `LARGEST`."""
    height: int
    """Rows, at most `LARGEST`."""
    pixels: bytes
    """Rows from the top, 4 bytes each: blue, green, red, unused."""


def pack(picture: ShownPicture) -> bytes:
    """Return the message with a picture."""
    name = picture.name.encode()
    return HEAD + SIZES.pack(picture.width, picture.height, len(name)) + name + picture.pixels


def unpack(message: bytes) -> ShownPicture | None:
    """Return the picture in a message; None for any other message, or a damaged one."""
    begin = len(HEAD) + SIZES.size
    if not message.startswith(HEAD) or len(message) < begin:
        return None
    width, height, length = SIZES.unpack_from(message, len(HEAD))
    name, pixels = message[begin : begin + length], message[begin + length :]
    if not (0 < width <= LARGEST and 0 < height <= LARGEST and len(pixels) == 4 * width * height):
        return None
    return ShownPicture(name.decode("utf-8", "replace"), width, height, pixels)
