"""A magnetometer as a compass: from the direction of the field to counts, and back as its driver does."""

from __future__ import annotations

import numpy as np

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.bus_parts import READING_MS, AxisMapping
from wbridge.wbverify.coupling.couplings import BoardNumbers, SensorCoupling, Values


class Magnetometer(SensorCoupling):
    """Converts the direction of the field to counts, plus the offset of the robot's own iron."""

    reading_ms = READING_MS

    def __init__(self, wiring: Wiring, numbers: BoardNumbers, strength: int) -> None:
        """
        Args:
            wiring: wiring of the device.
            numbers: numbers of the board.
            strength: counts of a field of half a gauss, typical on Earth.
        """
        self.address, self._strength = int(wiring.values["address"]), strength
        self._axes, self._real = AxisMapping(wiring, numbers), numbers.real
        self._offset = [float(value) for value in wiring.values["offset"]]
        self.range = _range(wiring)
        self.counts: list[int] = []

    def transmit(self, values: Values) -> Values:
        """See `SensorCoupling`."""
        north = self._axes.to_part(values[0])
        self.counts = [round(self._strength * n + o) for n, o in zip(north, self._offset, strict=True)]
        real = self._real
        field = [real(c) - real(o) for c, o in zip(self.counts, self._offset, strict=True)]
        x, y, z = field
        length = real(np.sqrt(np.float64(x * x + y * y + z * z)))
        return (self._axes.to_device([component / length for component in field]),)


def _range(wiring: Wiring) -> int:
    """Return the number of the measuring range; 0 for parts with one range."""
    parameter = wiring.driver.parameters.get("range")
    return 0 if parameter is None else parameter.choices.index(wiring.values["range"])
