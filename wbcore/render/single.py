"""Numbers in single precision, as OpenGL takes them: nothing that a world contains overflows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

LARGEST = 1e30


def single(values: object) -> NDArray[np.float32]:
    """Return values as float32, within 1e30; NaN becomes 0."""
    given = np.asarray(values, dtype=np.float64)
    if np.abs(given).max(initial=0) <= LARGEST:  # false with a NaN
        return given.astype(np.float32)
    found = np.nan_to_num(given, posinf=LARGEST, neginf=-LARGEST)
    return found.clip(-LARGEST, LARGEST).astype(np.float32)
