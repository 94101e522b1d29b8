"""How camera pictures travel over the robot link: as they are or as JPEG, and how often at most."""

from __future__ import annotations

import io
from math import ceil
from typing import NamedTuple


class SentPictures(NamedTuple):
    """The settings of a robot's end."""

    quality: int | None = None
    """JPEG quality, 1 to 100; None: the pixels as they are."""
    rate: float | None = None
    """The most pictures of each device in a second; None: as often as the controller asks."""

    def period(self, wanted: int) -> int:
        """Return the sampling period of a device with pictures (ms) if the controller wants another one."""
        if not wanted or self.rate is None:
            return wanted
        return max(wanted, ceil(1000 / self.rate))

    def encoded(self, pixels: bytes, width: int, height: int) -> bytes:
        """Return a camera's picture (B, G, R, A) as it travels."""
        if self.quality is None:
            return pixels
        from PIL import Image  # start-up: few robots have cameras

        picture = Image.frombuffer("RGB", (width, height), pixels, "raw", "BGRX", 0, 1)
        file = io.BytesIO()
        picture.save(file, "JPEG", quality=self.quality)
        return file.getvalue()


RAW = SentPictures()
