"""Convert camera pictures to data URLs."""

from __future__ import annotations

import base64
import struct

LARGEST = 320
"""Maximum columns and rows; larger pictures are subsampled."""
HEAD = struct.Struct("<2sIHHI IiiHHIIiiII")
"""Header of a BMP file without a palette."""


def address_of(width: int, height: int, pixels: bytes) -> str:
    """Return a data URL of a picture.

    Args:
        width: columns.
        height: rows.
        pixels: rows from the top, 4 bytes each: blue, green, red, unused.

    Returns:
        "" if the bytes do not match the size.
    """
    if width <= 0 or height <= 0 or len(pixels) != 4 * width * height:
        return ""
    step = max(1, -(-width // LARGEST), -(-height // LARGEST))
    rows = memoryview(pixels).cast("I")
    if step > 1:
        kept = [rows[at * width : (at + 1) * width : step].tobytes() for at in range(0, height, step)]
        width, height, pixels = -(-width // step), len(kept), b"".join(kept)
    # A negative height: rows from the top.
    head = HEAD.pack(
        *(b"BM", HEAD.size + len(pixels), 0, 0, HEAD.size),
        *(40, width, -height, 1, 32, 0, len(pixels), 2835, 2835, 0, 0),
    )
    return "data:image/bmp;base64," + base64.b64encode(head + pixels).decode("ascii")
