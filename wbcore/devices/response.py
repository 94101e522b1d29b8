"""The response of a sensor: lookup table, noise and resolution.

Source: manual, sections on lookup tables and `resolution`; noise is proportional to the value.
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
    """The world's random source."""

    def gaussian(self) -> float:
        """Return a random number of mean 0 and standard deviation 1."""


class Response:
    """A lookup table with noise, and a resolution.

    Args:
        rows: (input, output, relative standard deviation of noise), inputs ascending; empty: output equals
            input.
        resolution: step between values; -1: unlimited.
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
        """Convert a measured quantity to the sensor's value; NaN stays NaN."""
        output, noise = self.look_up(value)
        if noise:
            output *= 1 + noise * random.gaussian()
        return rounded(output, self.resolution) if self.resolution > 0 else output

    def exact(self) -> Callable[[float], float] | None:
        """Return the response as a plain, faster function; None with noise or a resolution."""
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
        """Return the table without noise: inputs, outputs, and the slopes between rows."""
        return self._inputs, [row[1] for row in self.rows], [slope for slope, _ in self._slopes]

    def look_up(self, value: float) -> tuple[float, float]:
        """Return output and noise, interpolated between rows; outside, those of the first or last row."""
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
    """Return the response given by a device's fields `lookupTable` and `resolution`.

    Rows with non-finite values are skipped with a warning.
    """
    rows = [tuple(row) for row in device.node.get("lookupTable")]
    usable = [row for row in rows if all(map(isfinite, row))]
    if len(usable) < len(rows):
        device.robot.warn(f"{device.path}: lookupTable: skipped rows with values that are not finite")
    return Response(usable, float(device.node.get("resolution")))


def rounded(value: float, resolution: float) -> float:
    """Return the nearest multiple of a resolution (0 or less: the value itself). As in Webots, halves and
    fractions of negative values are rounded up."""
    if resolution <= 0:
        return value
    steps = value / resolution + 0.5
    return trunc(steps) * resolution if isfinite(steps) else value
