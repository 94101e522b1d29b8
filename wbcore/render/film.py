"""The tone map of fine looks, as in `shaders/finish.glsl`.

Source: K. Narkowicz, "ACES Filmic Tone Mapping Curve", 2016.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

FILM_FACTOR = 0.7
"""Of the light: with it, a light that the plain tone map shows as a middle gray is about as bright."""


def filmed(light: NDArray[np.float64], exposure: float) -> NDArray[np.float64]:
    """Return displayed values (0 to 1) of light."""
    x = np.maximum(light, 0) * exposure * FILM_FACTOR
    part: NDArray[np.float64] = np.minimum((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 1)
    return part ** (1 / 2.2)
