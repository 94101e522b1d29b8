"""Noise on displayed pictures: white noise per channel, and a noise mask.

Source: manual, chapter Camera, fields noise and noiseMaskUrl. Webots draws the mask over the picture at a
random place, repeated, by its alpha.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Picture", "noise_mask", "white_noise"]

CHANNELS = 3
Picture: TypeAlias = "NDArray[np.uint8]"
"""(height, width, 4) blue, green, red, alpha."""


class Random(Protocol):
    """The world's random source."""

    def uniform(self) -> float:
        """Return a number in [0, 1)."""


def white_noise(deviation: float, random: Random) -> Callable[[Picture], None]:
    """Return what adds Gaussian noise with a standard deviation (share of the range) to each channel but
    alpha.

    The world's random source seeds a generator for the whole picture.
    """
    return partial(_add_noise, deviation, int(random.uniform() * 2**53))


def _add_noise(deviation: float, seed: int, picture: Picture) -> None:
    generator = np.random.Generator(np.random.PCG64(seed))
    noise = generator.standard_normal((*picture.shape[:2], CHANNELS), dtype=np.float32)
    noise *= np.float32(255 * min(deviation, 1e6))
    noise += picture[:, :, :CHANNELS]
    noise += np.float32(0.5)
    np.clip(noise, 0, 255.5, out=noise)
    picture[:, :, :CHANNELS] = noise


def noise_mask(mask: Picture, random: Random) -> Callable[[Picture], None]:
    """Return what draws a mask (red, green, blue, alpha) over a picture at a random place, repeated in both
    directions."""
    high, wide = mask.shape[:2]
    return partial(_lay_mask, mask, int(random.uniform() * wide), int(random.uniform() * high))


def _lay_mask(mask: Picture, x: int, y: int, picture: Picture) -> None:
    height, width = picture.shape[:2]
    high, wide = mask.shape[:2]
    rows, columns = (np.arange(height) + y) % high, (np.arange(width) + x) % wide
    chosen = mask[rows][:, columns].astype(np.uint16)
    alpha, colors = chosen[:, :, 3:], chosen[:, :, 2::-1]
    below = picture[:, :, :CHANNELS].astype(np.uint16)
    picture[:, :, :CHANNELS] = (below * (255 - alpha) + colors * alpha + 127) // 255
