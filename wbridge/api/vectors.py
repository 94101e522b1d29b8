"""Numbers and vectors that scripts pass: tuples, lists and arrays."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wbridge.wbcore.physics.pose import Vec3


def real(value: float, what: str, allowed: str, fits: Callable[[float], bool]) -> float:
    """Return a number that fits.

    Args:
        value: what the script passed.
        what: whose it is, for the message.
        allowed: for the message.
        fits: True for numbers that are allowed; NaN never is.

    Raises:
        TypeError: it is no number.
        ValueError: it does not fit.
    """
    try:
        number = math.fsum((value,))  # refuses texts, which float does not
    except TypeError:
        raise TypeError(f"{what} must be {allowed}, not {value!r}") from None
    if math.isnan(number) or not fits(number):
        raise ValueError(f"{what} must be {allowed}, not {value!r}")
    return number


def whole(value: int, what: str, least: int | None = None) -> int:
    """Return a whole number; for arguments see `real`.

    Raises:
        TypeError: it is none.
        ValueError: it is smaller than the least.
    """
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what} must be a whole number, not {value!r}") from None
    if least is not None and number < least:
        raise ValueError(f"{what} must be {least} or more, not {value}")
    return number


def reals(values: ArrayLike, what: str) -> NDArray[np.float64]:
    """Return numbers as an array.

    Raises:
        TypeError: they are no numbers.
    """
    try:
        if values is not None:
            return np.asarray(values, np.float64)
    except (TypeError, ValueError):
        pass
    raise TypeError(f"{what}: expected numbers, not {values!r}")


def vector(values: ArrayLike, what: str) -> Vec3:
    """Return three numbers.

    Args:
        values: of any kind of sequence.
        what: the argument, for the message.

    Raises:
        ValueError: there are not three finite numbers.
    """
    array = reals(values, what)
    numbers = array.tolist()
    if array.shape != (3,) or not all(map(math.isfinite, numbers)):
        raise ValueError(f"{what}: expected 3 finite numbers, not {values!r}")
    x, y, z = numbers
    return x, y, z
