"""The images of a display, by the numbers that the controller has given them."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MOST_IMAGES", "MOST_PIXELS", "DisplayImages", "from_bytes"]

MOST_IMAGES = 4096
MOST_PIXELS = 2**26
"""Limit of the pixels of all images of a display."""
Pixels: TypeAlias = "NDArray[np.uint32]"
ORDERS = {3: "rgb", 4: "rgba", 5: "argb", 6: "bgra", 7: "abgr"}
"""The order of the bytes of a pixel by format."""


class DisplayImages:
    """Images with their pixels, 0xAARRGGBB."""

    def __init__(self) -> None:
        self.all: dict[int, Pixels] = {}
        self._pixels = 0

    def get(self, number: int) -> Pixels | None:
        """Return an image; None if there is none."""
        return self.all.get(number)

    def put(self, number: int, width: int, height: int, make: Callable[[], Pixels | None]) -> None:
        """Store what `make` returns, if it is not None.

        Raises:
            ValueError: the number or the size is invalid, or there are too many images.
        """
        if number <= 0 or width < 1 or height < 1:
            raise ValueError(f"image {number} has an invalid size: {width} x {height} pixels")
        if number not in self.all and len(self.all) >= MOST_IMAGES:
            raise ValueError(f"more than {MOST_IMAGES} images")
        if self._pixels > MOST_PIXELS:
            raise ValueError(f"its images have more than {MOST_PIXELS} pixels; delete some")
        image = make()
        self.delete(number)
        if image is not None:
            self.all[number] = image
            self._pixels += image.size

    def delete(self, number: int) -> None:
        """Delete an image, if it exists."""
        image = self.all.pop(number, None)
        if image is not None:
            self._pixels -= image.size

    def clear(self) -> None:
        """Delete all images."""
        self.all.clear()
        self._pixels = 0

    def save(self) -> list[tuple[int, int, int, bytes]]:
        """Return all images as plain values: number, width, height, compressed pixels."""
        return [
            (number, image.shape[1], image.shape[0], zlib.compress(image.tobytes(), 1))
            for number, image in self.all.items()
        ]

    def load(self, state: list[tuple[int, int, int, bytes]]) -> None:
        """See `save`."""
        self.clear()
        for number, width, height, pixels in state:
            image = np.frombuffer(zlib.decompress(pixels), dtype=np.uint32).reshape(height, width)
            self.put(number, width, height, image.copy)


def from_bytes(width: int, height: int, format_: int, data: bytes) -> Pixels:
    """Return pixels from bytes in a format: 3 RGB, 4 RGBA, 5 ARGB, 6 BGRA, 7 ABGR.

    Raises:
        ValueError: the format or the number of bytes is wrong.
    """
    order = ORDERS.get(format_, "")
    if not order or len(data) != width * height * len(order):
        raise ValueError(f"{len(data)} bytes for {width} x {height} pixels of format {format_}")
    channels = np.frombuffer(data, dtype=np.uint8).reshape(height, width, len(order))
    pixels = np.full((height, width, 4), 255, dtype=np.uint8)
    for name, channel in zip(order, np.moveaxis(channels, 2, 0), strict=True):
        pixels[:, :, "bgra".index(name)] = channel
    return pixels.view("<u4")[:, :, 0].astype(np.uint32)
