"""Image files as a judge: PNG with the standard library alone, JPEG with Pillow."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

__all__ = ["read_image_file", "write_image_file"]

SIGNATURE = b"\x89PNG\r\n\x1a\n"
GRAY, RGB, PALETTE, GRAY_ALPHA, RGBA = 0, 2, 3, 4, 6
CHANNELS = {GRAY: 1, RGB: 3, GRAY_ALPHA: 2, RGBA: 4}


def write_image_file(path: str, width: int, height: int, pixels: bytes, channels: int) -> None:
    """Write a PNG file.

    Args:
        path: for example "image.png".
        width: in pixels.
        height: in pixels.
        pixels: rows from the top.
        channels: bytes per pixel: 1 (gray), 3 (RGB) or 4 (RGBA).
    """
    stride = width * channels
    rows = b"".join(b"\0" + bytes(pixels[y * stride : (y + 1) * stride]) for y in range(height))
    color = {1: GRAY, 3: RGB, 4: RGBA}[channels]
    head = struct.pack(">IIBBBBB", width, height, 8, color, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 6)), (b"IEND", b""))
    Path(path).write_bytes(SIGNATURE + b"".join(_chunk(*one) for one in chunks))


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def read_image_file(path: str) -> tuple[int, int, bytes]:
    """Read an image file: width, height, and RGBA pixels, rows from the top.

    Raises:
        ValueError: the file is not an image, or its format is not supported.
    """
    data = Path(path).read_bytes()
    if data.startswith(SIGNATURE):
        return _read_png(data)
    from PIL import Image

    image = Image.open(path).convert("RGBA")
    return image.width, image.height, image.tobytes()


def _read_png(data: bytes) -> tuple[int, int, bytes]:
    chunks = list(_chunks(data))
    width, height, depth, color, _, _, interlace = struct.unpack(">IIBBBBB", dict(chunks)[b"IHDR"])
    if depth != 8 or interlace or color not in (*CHANNELS, PALETTE):
        raise ValueError(f"{depth} bits per channel, color type {color}, interlacing {interlace}")
    channels = CHANNELS.get(color, 1)
    packed = zlib.decompressobj()
    raw = packed.decompress(b"".join(c for n, c in chunks if n == b"IDAT"), height * (width * channels + 1))
    rows = _unfilter(raw, width * channels, height, channels)
    if color == PALETTE:
        table = dict(chunks)[b"PLTE"]
        return width, height, b"".join(table[3 * i : 3 * i + 3] + b"\xff" for i in rows)
    return width, height, _rgba(rows, channels)


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(SIGNATURE)
    while at + 8 <= len(data):
        size, name = struct.unpack_from(">I4s", data, at)
        yield name, data[at + 8 : at + 8 + size]
        at += 12 + size


def _rgba(rows: bytes, channels: int) -> bytes:
    out = bytearray(b"\xff" * (4 * (len(rows) // channels)))
    gray = channels < 3
    for k in range(3):
        out[k::4] = rows[0 if gray else k :: channels]
    if channels in (2, 4):
        out[3::4] = rows[channels - 1 :: channels]
    return bytes(out)


def _unfilter(raw: bytes, stride: int, height: int, step: int) -> bytes:
    """Undo the filter of each row: difference to the left, above, their mean, or the Paeth predictor."""
    above, out = bytearray(stride), bytearray()
    for y in range(height):
        kind, *row = raw[y * (stride + 1) : (y + 1) * (stride + 1)]
        if len(row) != stride:
            raise ValueError("the pixel data is truncated")
        for x in range(stride if kind else 0):
            left = row[x - step] if x >= step else 0
            corner = above[x - step] if x >= step else 0
            row[x] = row[x] + _guess(kind, left, above[x], corner) & 255
        above = bytearray(row)
        out += above
    return bytes(out)


def _guess(kind: int, left: int, up: int, corner: int) -> int:
    if kind < 3:
        return (0, left, up)[kind]
    if kind == 3:
        return (left + up) // 2
    estimate = left + up - corner
    return min((left, up, corner), key=lambda one: abs(one - estimate))
