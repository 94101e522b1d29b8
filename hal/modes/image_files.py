"""Image files: PNG with the standard library alone, other formats if Pillow is installed."""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Iterable
from pathlib import Path

__all__ = ["ImageFileError", "read_image_file", "swapped", "write_float_file", "write_image_file"]

SIGNATURE = b"\x89PNG\r\n\x1a\n"
GRAY, RGB, PALETTE, GRAY_ALPHA, RGBA = 0, 2, 3, 4, 6
CHANNELS = {GRAY: 1, RGB: 3, GRAY_ALPHA: 2, RGBA: 4}
MAX_PIXELS = 2**26


class ImageFileError(ValueError):
    """An image file cannot be read or written."""


def swapped(pixels: bytes | bytearray) -> bytearray:
    """Swap the first and third of each four bytes: convert BGRA to RGBA or back."""
    out = bytearray(pixels)
    out[0::4], out[2::4] = pixels[2::4], pixels[0::4]
    return out


def has_quality(path: str) -> bool:
    """Whether a file is in JPEG format, so that it has a quality; PNG files have none."""
    return path.lower().endswith((".jpg", ".jpeg"))


def write_image_file(
    path: str, width: int, height: int, pixels: bytes, channels: int, quality: int = 100
) -> None:
    """Write an image file; the extension of its name selects the format.

    Args:
        path: for example "image.png".
        width: in pixels.
        height: in pixels.
        pixels: rows from the top.
        channels: bytes per pixel: 1 (gray), 3 (RGB) or 4 (RGBA).
        quality: JPEG quality, 1 to 100.

    Raises:
        ImageFileError: the format is not supported.
        OSError: the file cannot be written.
    """
    if Path(path).suffix.lower() != ".png":
        image = _pillow(path).frombytes(
            {1: "L", 3: "RGB", 4: "RGBA"}[channels], (width, height), bytes(pixels)
        )
        try:
            image.convert("L" if channels == 1 else "RGB").save(path, quality=max(1, min(quality, 95)))
        except (ValueError, KeyError) as problem:
            text = f"{path}: {Path(path).suffix!r} is not an image format; use .png or .jpg"
            raise ImageFileError(text) from problem
        return
    stride = width * channels
    rows = b"".join(b"\0" + bytes(pixels[y * stride : (y + 1) * stride]) for y in range(height))
    color = {1: GRAY, 3: RGB, 4: RGBA}[channels]
    head = struct.pack(">IIBBBBB", width, height, 8, color, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 6)), (b"IEND", b""))
    Path(path).write_bytes(SIGNATURE + b"".join(_chunk(*one) for one in chunks))


def write_float_file(path: str, width: int, height: int, values: Iterable[float]) -> None:
    """Write gray numbers as a Radiance file (.hdr): each pixel has three mantissas and an exponent.

    Args:
        path: for example "image.hdr".
        width: in pixels.
        height: in pixels.
        values: finite numbers of 0 or more, rows from the top.

    Raises:
        OSError: the file cannot be written.
    """
    head = f"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y {height} +X {width}\n".encode()
    Path(path).write_bytes(head + b"".join(map(_shared_exponent, values)))


def _shared_exponent(value: float) -> bytes:
    if value < 1e-32:
        return bytes(4)
    mantissa, exponent = math.frexp(value)
    return bytes([int(mantissa * 256)] * 3 + [exponent + 128])


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _pillow(path: str):  # type: ignore[no-untyped-def]
    try:
        from PIL import Image  # type: ignore[import-not-found, unused-ignore]  # start-up: optional
    except ImportError:
        suffix = Path(path).suffix or "no extension"
        raise ImageFileError(
            f'"{path}": image files with {suffix} need the package "pillow"; use .png without it'
        ) from None
    return Image


def read_image_file(path: str) -> tuple[int, int, bytes]:
    """Read an image file: width, height, and RGBA pixels, rows from the top.

    Raises:
        ImageFileError: the file is not an image, or its format is not supported.
        OSError: the file cannot be read.
    """
    data = Path(path).read_bytes()
    if not data.startswith(SIGNATURE):
        try:
            image = _pillow(path).open(path).convert("RGBA")
        except ImageFileError:
            raise
        except Exception as error:
            raise ImageFileError(f'"{path}" is not an image: {error}') from None
        return image.width, image.height, image.tobytes()
    try:
        return _read_png(data)
    except (struct.error, zlib.error, IndexError, KeyError, ValueError) as error:
        raise ImageFileError(f'"{path}" is a damaged or unsupported PNG file: {error}') from None


def _read_png(data: bytes) -> tuple[int, int, bytes]:
    chunks = list(_chunks(data))
    width, height, depth, color, _, _, interlace = struct.unpack(">IIBBBBB", dict(chunks)[b"IHDR"])
    if depth != 8 or interlace or color not in (*CHANNELS, PALETTE):
        raise ValueError(f"{depth} bits per channel, color type {color}, interlacing {interlace}")
    if not 0 < width * height <= MAX_PIXELS:
        raise ValueError(f"{width} x {height} pixels")
    channels = CHANNELS.get(color, 1)
    packed = zlib.decompressobj()
    raw = packed.decompress(b"".join(c for n, c in chunks if n == b"IDAT"), height * (width * channels + 1))
    rows = _unfilter(raw, width * channels, height, channels)
    if color == PALETTE:
        table = dict(chunks)[b"PLTE"]
        return width, height, b"".join(table[3 * i : 3 * i + 3] + b"\xff" for i in rows)
    return width, height, _rgba(rows, channels)


def _chunks(data: bytes):  # type: ignore[no-untyped-def]
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
