"""Noise on displayed pictures: white noise per channel, and a noise mask.

Source: manual, chapter Camera, fields noise and noiseMaskUrl. Webots draws the mask over the picture at a
random place, repeated, by its alpha.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.world.random_source import RandomSource

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHANNELS = 3
BYTE = 255
Picture: TypeAlias = "NDArray[np.uint8]"
"""(height, width, 4) blue, green, red, alpha."""


def white_noise(deviation: float, random: RandomSource) -> Callable[[Picture], None]:
    """Return what adds Gaussian noise with a standard deviation (share of the range) to each channel but
    alpha.

    The world's random source seeds the noise of the whole picture.
    """
    return partial(_add_noise, _noise_of(deviation), int(random.uniform() * 2**53))


@lru_cache(maxsize=16)
def _noise_of(deviation: float) -> _engine.PictureNoise:
    return _engine.PictureNoise(BYTE * deviation)


def _add_noise(noise: _engine.PictureNoise, seed: int, picture: Picture) -> None:
    noise.add(picture, seed)


def noise_mask(mask: Picture, random: RandomSource) -> Callable[[Picture], None]:
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
