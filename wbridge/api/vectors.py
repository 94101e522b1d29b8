"""Vectors that scripts pass: tuples, lists and arrays."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from wbridge.wbcore.physics.pose import Vec3


def vector(values: ArrayLike, what: str) -> Vec3:
    """Return three numbers.

    Args:
        values: of any kind of sequence.
        what: the argument, for the message.

    Raises:
        ValueError: there are not three finite numbers.
    """
    array = np.asarray(values, np.float64)
    numbers = array.tolist()
    if array.shape != (3,) or not all(map(math.isfinite, numbers)):
        raise ValueError(f"{what}: expected 3 finite numbers, not {values!r}")
    x, y, z = numbers
    return x, y, z
