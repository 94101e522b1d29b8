"""Radiance files (.hdr): pictures that consist of light.

Source: Ward, Real Pixels (Graphics Gems II, 1991), and the manual of Radiance, chapter on file formats: three
mantissas and an exponent per pixel, plain or with runs per row.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from wbridge.wbcore.visual.images import ImageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["read_radiance"]

MOST_PIXELS = 2**22
"""2048 by 2048 pixels."""
MOST_BYTES = 5 * MOST_PIXELS
HEAD = re.compile(rb"#\?(?:RADIANCE|RGBE)\n(?:[^\n]+\n)*?\n-Y (\d{1,6}) \+X (\d{1,6})\n")
PIXEL = 4
LEAST_RUN_WIDTH, MOST_RUN_WIDTH = 8, 0x7FFF
"""Rows outside of these widths have no runs."""
RUN = 128
"""Counts above this are runs of one value."""
EXPONENT = 128 + 8
"""What is subtracted from exponents: their offset, and the bits of the mantissas."""


def read_radiance(path: Path) -> NDArray[np.float32]:
    """Return the light of a Radiance file.

    Returns:
        (height, width, 3): red, green, blue; row 0 is the top.

    Raises:
        ImageError: the file cannot be read, or is too large.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ImageError(f"{path}: larger than {MOST_BYTES} bytes")
        data = path.read_bytes()
    except OSError as problem:
        raise ImageError(f"{path}: {problem.strerror or 'not readable'}") from None
    head = HEAD.match(data)
    if head is None:
        raise ImageError(f"{path}: not a Radiance picture with rows from the top left")
    height, width = int(head[1]), int(head[2])
    if not 0 < height * width <= MOST_PIXELS:
        raise ImageError(f"{path}: {width} x {height} pixels; allowed: 1 to {MOST_PIXELS}")
    try:
        pixels = _pixels(memoryview(data)[head.end() :], width, height)
    except (IndexError, ValueError):
        raise ImageError(f"{path}: it ends too early, or its runs are longer than a row") from None
    scale = np.ldexp(np.float32(1), pixels[..., 3:].astype(np.int32) - EXPONENT)
    return (pixels[..., :3] * np.where(pixels[..., 3:] > 0, scale, 0)).astype(np.float32)


def _pixels(data: memoryview, width: int, height: int) -> NDArray[np.uint8]:
    """Return mantissas and exponents, (height, width, 4); IndexError or ValueError if the data do not fit."""
    has_runs = LEAST_RUN_WIDTH <= width <= MOST_RUN_WIDTH and bytes(data[:2]) == b"\2\2" and data[2] < RUN
    if not has_runs:
        plain = np.frombuffer(data, np.uint8, width * height * PIXEL)
        rows: NDArray[np.uint8] = plain.reshape(height, width, PIXEL)
        return rows
    made: NDArray[np.uint8] = np.empty((height, PIXEL, width), np.uint8)
    at = 0
    for row in made:
        if bytes(data[at : at + PIXEL]) != bytes((2, 2, width >> 8, width & 255)):
            raise ValueError("the row is not of this width")
        at += PIXEL
        for values in row:
            at = _fill(values, data, at)
    pixels: NDArray[np.uint8] = made.transpose(0, 2, 1)
    return pixels


def _fill(values: NDArray[np.uint8], data: memoryview, at: int) -> int:
    """Fill one component of a row from runs that begin at a place; return where they end."""
    done, width = 0, len(values)
    while done < width:
        count = data[at]
        is_run = count > RUN
        count = count - RUN if is_run else count
        end = done + count
        if not count or end > width:
            raise ValueError("the run is empty, or longer than the row")
        if is_run:
            values[done:end] = data[at + 1]
            at += 2
        else:
            values[done:end] = np.frombuffer(data, np.uint8, count, at + 1)
            at += 1 + count
        done = end
    return at
