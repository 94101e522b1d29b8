"""An HMC5883L magnetometer as a compass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from wbverify.coupling.bus_parts import READING_MS, AxisMapping, byte, word
from wbverify.coupling.couplings import BoardNumbers, PinEvent, SensorCoupling

if TYPE_CHECKING:
    from wbfirmware.hardware import Wiring
    from wbverify.coupling.couplings import Values

__all__ = ["make"]

NAME = {0x0A: ord("H"), 0x0B: ord("4"), 0x0C: ord("3")}
AXES = (0x03, 0x07, 0x05)
"""Registers of x, y and z: the part stores z before y."""
STRENGTH = 545
"""Counts of a field of half a gauss, typical on Earth, in the range of 1.3 gauss."""


class Compass(SensorCoupling):
    """Converts the direction of the field to counts, plus the offset of the robot's own iron."""

    reading_ms = READING_MS

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        self._address = int(wiring.values["address"])
        self._axes, self._real = AxisMapping(wiring, numbers), numbers.real
        self._offset = [float(one) for one in wiring.values["offset"]]
        self._counts: list[int] = []

    def transmit(self, values: Values) -> Values:
        """See `SensorCoupling`."""
        north = self._axes.to_part(values[0])
        self._counts = [round(STRENGTH * n + o) for n, o in zip(north, self._offset, strict=True)]
        real = self._real
        field = [real(c) - real(o) for c, o in zip(self._counts, self._offset, strict=True)]
        x, y, z = field
        length = real(np.sqrt(np.float64(x * x + y * y + z * z)))
        return (self._axes.to_device([one / length for one in field]),)

    def events(self) -> Sequence[PinEvent]:
        """See `SensorCoupling`."""
        name = [byte(self._address, register, value) for register, value in NAME.items()]
        return name + [word(self._address, at, one) for at, one in zip(AXES, self._counts, strict=False)]


def make(wiring: Wiring, numbers: BoardNumbers) -> SensorCoupling:
    """See `wbverify.coupling`."""
    return Compass(wiring, numbers)
