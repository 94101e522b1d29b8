"""Noise on displayed pictures: white noise per channel, and a noise mask.

Source: manual, chapter Camera, fields noise and noiseMaskUrl. Webots draws the mask over the picture at a
random place, repeated, by its alpha.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["add_noise", "lay_mask"]

CHANNELS = 3
Picture = NDArray[np.uint8]
"""(height, width, 4) blue, green, red, alpha."""


class Random(Protocol):
    """The world's random source."""

    def uniform(self) -> float:
        """Return a number in [0, 1)."""


def add_noise(picture: Picture, deviation: float, random: Random) -> None:
    """Add Gaussian noise with a standard deviation (share of the range) to each channel but alpha.

    The world's random source seeds a generator for the whole picture.
    """
    generator = np.random.Generator(np.random.PCG64(int(random.uniform() * 2**53)))
    noise = generator.standard_normal((*picture.shape[:2], CHANNELS), dtype=np.float32)
    noise *= np.float32(255 * min(deviation, 1e6))
    noise += picture[:, :, :CHANNELS]
    noise += np.float32(0.5)
    np.clip(noise, 0, 255.5, out=noise)
    picture[:, :, :CHANNELS] = noise


def lay_mask(picture: Picture, mask: Picture, random: Random) -> None:
    """Draw a mask (red, green, blue, alpha) over a picture at a random place, repeated in both directions."""
    height, width = picture.shape[:2]
    high, wide = mask.shape[:2]
    x, y = int(random.uniform() * wide), int(random.uniform() * high)
    rows, columns = (np.arange(height) + y) % high, (np.arange(width) + x) % wide
    chosen = mask[rows][:, columns].astype(np.uint16)
    alpha, colors = chosen[:, :, 3:], chosen[:, :, 2::-1]
    below = picture[:, :, :CHANNELS].astype(np.uint16)
    picture[:, :, :CHANNELS] = (below * (255 - alpha) + colors * alpha + 127) // 255
