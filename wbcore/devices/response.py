"""The response of a sensor: lookup table, noise and resolution.

Source: manual, sections on lookup tables and `resolution`; noise is proportional to the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.engine._engine import rounded
from wbridge.wbcore.world.random_source import RandomSource

if TYPE_CHECKING:
    from wbridge.wbcore.devices.device import Device

__all__ = ["Response", "response_of", "rounded"]


class Response:
    """A lookup table with noise, and a resolution.

    Args:
        rows: (input, output, relative standard deviation of noise); empty: output equals input.
        resolution: step between values; -1: unlimited.
    """

    __slots__ = ("look_up", "native")

    def __init__(self, rows: Sequence[Sequence[float]], resolution: float = -1.0) -> None:
        self.native = _engine.Response([(a, b, c) for a, b, c in rows], resolution)
        self.look_up = self.native.look_up
        """Return output and noise, interpolated between rows; outside, those of the first or last row."""

    @property
    def rows(self) -> list[tuple[float, float, float]]:
        """The rows, inputs ascending."""
        return self.native.rows

    def __call__(self, value: float, random: RandomSource) -> float:
        """Convert a measured quantity to the sensor's value; NaN stays NaN."""
        output, noise = self.look_up(value)
        if noise:
            output *= 1 + noise * random.gaussian()
        return rounded(output, self.native.resolution)


def response_of(device: Device) -> Response:
    """Return the response given by a device's fields `lookupTable` and `resolution`.

    Rows with non-finite values are skipped with a warning.
    """
    rows = [tuple(row) for row in device.node.get("lookupTable")]
    usable = [row for row in rows if all(map(isfinite, row))]
    if len(usable) < len(rows):
        device.robot.warn(f"{device.path}: lookupTable: skipped rows with values that are not finite")
    return Response(usable, float(device.node.get("resolution")))
