"""From a measured quantity to a sensor's value: lookup table, noise and resolution.

Source: the manual's sections about lookup tables and `resolution`; noise is proportional to the value.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import trunc
from typing import Protocol

__all__ = ["Random", "Response", "rounded"]


class Random(Protocol):
    """The world's source of random numbers."""

    def gaussian(self) -> float:
        """A number with mean 0 and standard deviation 1."""


class Response:
    """A lookup table with noise, and a resolution.

    Args:
        rows: (input, output, relative standard deviation of noise), inputs ascending; empty: the input is
            the output.
        resolution: step of the values; -1: none.
    """

    def __init__(self, rows: Sequence[Sequence[float]], resolution: float = -1.0) -> None:
        self.rows = [tuple(row) for row in sorted(rows, key=lambda row: row[0])]
        self._inputs = [row[0] for row in self.rows]
        self.resolution = resolution

    def __call__(self, value: float, random: Random) -> float:
        """The sensor's value for a measured one."""
        output, noise = self.look_up(value)
        if noise:
            output *= 1 + noise * random.gaussian()
        return rounded(output, self.resolution)

    def look_up(self, value: float) -> tuple[float, float]:
        """Output and noise, both interpolated between two rows, or those of the first or last row outside."""
        rows = self.rows
        if not rows:
            return value, 0.0
        above = bisect_right(self._inputs, value)
        if above == 0 or above == len(rows):
            row = rows[0] if above == 0 else rows[-1]
            return row[1], row[2]
        low, high = rows[above - 1], rows[above]
        share = (value - low[0]) / (high[0] - low[0])
        return low[1] + share * (high[1] - low[1]), low[2] + share * (high[2] - low[2])


def rounded(value: float, resolution: float) -> float:
    """The nearest multiple of a resolution; halves, and parts of negative values, go up as in Webots."""
    if resolution <= 0:
        return value
    return trunc(value / resolution + 0.5) * resolution if abs(value) < 1e300 else value
