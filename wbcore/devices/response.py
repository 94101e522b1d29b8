"""From a measured quantity to a sensor's value: lookup table, noise and resolution.

Source: the manual's sections about lookup tables and `resolution`; noise is proportional to the value.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from math import isfinite, trunc
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from wbcore.devices.device import Device

__all__ = ["Random", "Response", "response_of", "rounded"]


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

    __slots__ = ("_inputs", "_slopes", "resolution", "rows")

    def __init__(self, rows: Sequence[Sequence[float]], resolution: float = -1.0) -> None:
        self.rows = [(float(a), float(b), float(c)) for a, b, c in sorted(rows, key=lambda row: row[0])]
        self._inputs = [row[0] for row in self.rows]
        self._slopes = [
            ((high[1] - low[1]) / (high[0] - low[0]), (high[2] - low[2]) / (high[0] - low[0]))
            if high[0] > low[0]
            else (0.0, 0.0)
            for low, high in zip(self.rows, self.rows[1:], strict=False)
        ]
        self.resolution = resolution

    def __call__(self, value: float, random: Random) -> float:
        """The sensor's value for a measured one; what is not a number stays so."""
        output, noise = self.look_up(value)
        if noise:
            output *= 1 + noise * random.gaussian()
        return rounded(output, self.resolution) if self.resolution > 0 else output

    def exact(self) -> Callable[[float], float] | None:
        """For speed: the response as a plain function, where neither noise nor a resolution counts."""
        if self.resolution > 0 or not self.rows or any(row[2] for row in self.rows):
            return None
        inputs, outputs, slopes = self.lines()
        lowest, highest, first, last = inputs[0], inputs[-1], outputs[0], outputs[-1]
        find = bisect_right

        def respond(value: float) -> float:
            if value < highest:
                if value <= lowest:
                    return first
                below = find(inputs, value) - 1
                return outputs[below] + slopes[below] * (value - inputs[below])
            return last if value >= highest else value

        return respond

    def lines(self) -> tuple[list[float], list[float], list[float]]:
        """The table without noise: inputs, outputs, and the slopes between two rows."""
        return self._inputs, [row[1] for row in self.rows], [slope for slope, _ in self._slopes]

    def look_up(self, value: float) -> tuple[float, float]:
        """Output and noise, both interpolated between two rows, or those of the first or last row outside."""
        rows = self.rows
        if not rows or value != value:
            return value, 0.0
        above = bisect_right(self._inputs, value)
        if above == 0:
            return rows[0][1], rows[0][2]
        low = rows[above - 1]
        if above == len(rows):
            return low[1], low[2]
        slope, noise = self._slopes[above - 1]
        beyond = value - low[0]
        return low[1] + slope * beyond, low[2] + noise * beyond


def response_of(device: Device) -> Response:
    """The response that the fields `lookupTable` and `resolution` of a device describe.

    Rows with values that are not finite are left out with a warning.
    """
    rows = [tuple(row) for row in device.node.get("lookupTable")]
    usable = [row for row in rows if all(map(isfinite, row))]
    if len(usable) < len(rows):
        device.robot.warn(f"{device.path}: rows of the lookupTable that are not finite are left out")
    return Response(usable, float(device.node.get("resolution")))


def rounded(value: float, resolution: float) -> float:
    """The nearest multiple of a resolution (0 and less: none); halves, and parts of negative values, go up as
    in Webots."""
    if resolution <= 0:
        return value
    steps = value / resolution + 0.5
    return trunc(steps) * resolution if isfinite(steps) else value
