"""A picture as a camera sends it, and its pixels as a controller reads them."""

from __future__ import annotations

import io
from typing import NamedTuple

from PIL import Image

LARGEST = 8192
"""Maximum width and height of pictures, in pixels."""


class FrameError(ValueError):
    """Raised for a picture that is damaged or has another size than announced."""


class Frame(NamedTuple):
    """A picture of a camera."""

    format: str
    """One of `FORMATS`."""
    width: int
    height: int
    """In pixels, as the camera announced them."""
    stride: int
    """Bytes per row of uncompressed pictures; 0: without gaps."""
    data: bytes


def pixels(frame: Frame, width: int, height: int, stretch: bool = False) -> bytes:
    """Return a picture in the size of a controller's camera.

    Args:
        frame: picture of the camera.
        width: width in pixels.
        height: height in pixels.
        stretch: use the whole picture. Otherwise the part in its middle that has the shape of the result.

    Returns:
        Rows from the top, 4 bytes per pixel (B, G, R, A).

    Raises:
        FrameError: the picture is damaged, or has another size than announced.
    """
    decode = FORMATS[frame.format]
    box = (0.0, 0.0, 1.0, 1.0) if stretch else _middle(frame, width / height)
    picture = decode(frame, (width, height))
    across, down = picture.size
    box = (box[0] * across, box[1] * down, box[2] * across, box[3] * down)
    if picture.size != (width, height):
        picture = picture.resize((width, height), Image.Resampling.BILINEAR, box)
    return picture.convert("RGBA").tobytes("raw", "BGRA")


def _middle(frame: Frame, shape: float) -> tuple[float, float, float, float]:
    """Return the middle part with a ratio of width to height: left, top, right, bottom, each from 0 to 1."""
    own = frame.width / frame.height
    across, down = min(shape / own, 1.0), min(own / shape, 1.0)
    return (1 - across) / 2, (1 - down) / 2, (1 + across) / 2, (1 + down) / 2


def _jpeg(frame: Frame, least: tuple[int, int]) -> Image.Image:
    """Decode a JPEG, at a fraction of its size if that is enough."""
    try:
        picture = Image.open(io.BytesIO(frame.data), formats=["JPEG"])
        # Before any pixel is decoded: a small file may claim to be huge.
        if picture.size != (frame.width, frame.height):
            shown = " x ".join(map(str, picture.size))
            raise FrameError(f"it has {shown} pixels instead of {frame.width} x {frame.height}")
        picture.draft("RGB", least)
        return picture.convert("RGB")
    except (OSError, SyntaxError) as problem:
        raise FrameError(f"the JPEG is damaged: {problem}") from None


def _yuyv(frame: Frame, least: tuple[int, int]) -> Image.Image:
    """Decode Y U Y V bytes: two pixels with a common color, BT.601, 16 to 235 (240 for colors)."""
    width, height = frame.width, frame.height
    stride = frame.stride or 2 * width
    if stride < 2 * width or width % 2:
        raise FrameError(f"rows of {width} pixels cannot have {stride} bytes")
    if len(frame.data) < stride * height:
        raise FrameError(f"it has {len(frame.data)} bytes instead of {stride * height}")
    rows = frame.data[: stride * height]
    if stride > 2 * width:
        rows = Image.frombytes("L", (stride, height), rows).crop((0, 0, 2 * width, height)).tobytes()
    brightness = Image.frombytes("L", (width, height), rows[0::2]).point(_WHITE)
    blue, red = (
        Image.frombytes("L", (width // 2, height), rows[first::4]).point(_COLOR).resize((width, height), 0)
        for first in (1, 3)
    )
    return Image.merge("YCbCr", (brightness, blue, red)).convert("RGB")


def _grey(frame: Frame, least: tuple[int, int]) -> Image.Image:
    """Decode one byte per pixel."""
    stride = frame.stride or frame.width
    if stride < frame.width or len(frame.data) < stride * frame.height:
        raise FrameError(f"it has {len(frame.data)} bytes instead of {stride * frame.height}")
    rows = Image.frombytes("L", (stride, frame.height), frame.data[: stride * frame.height])
    return rows.crop((0, 0, frame.width, frame.height)).convert("RGB")


def _limited(low: int, high: int, value: int) -> int:
    return max(0, min(255, round((value - low) * 255 / (high - low))))


_WHITE = [_limited(16, 235, value) for value in range(256)]
_COLOR = [max(0, min(255, round(128 + (value - 128) * 255 / 224))) for value in range(256)]
"""From the limited to the full range of numbers."""
FORMATS = {"MJPG": _jpeg, "JPEG": _jpeg, "YUYV": _yuyv, "GREY": _grey}
"""Decoders by the name of the pixel format; the best one first."""
