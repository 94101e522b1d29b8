"""The registers of an MPU-6050."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wbverify.coupling.bus_parts import LARGEST, READING_MS, AxisMapping, byte, word
from wbverify.coupling.couplings import BoardNumbers, PinEvent, SensorCoupling

if TYPE_CHECKING:
    from wbfirmware.hardware import Wiring
    from wbverify.coupling.couplings import Values

__all__ = ["Mpu6050"]

NAME, ITS_NAME = 0x75, 0x68
FULL = 32768


class Mpu6050(SensorCoupling):
    """Converts three values to 16-bit shares of the selected range."""

    reading_ms = READING_MS

    def __init__(self, wiring: Wiring, numbers: BoardNumbers, first: int, smallest_range: float) -> None:
        """
        Args:
            wiring: wiring of the device.
            numbers: numbers of the board.
            first: register of the first axis.
            smallest_range: full scale of the first range, in the device's unit.
        """
        self._address, self._first = int(wiring.values["address"]), first
        self._axes, self._real = AxisMapping(wiring, numbers), numbers.real
        ranges = wiring.driver.parameters["range"].choices
        self._scale = self._real(smallest_range) * self._real(1 << ranges.index(wiring.values["range"]))
        self._counts = [0, 0, 0]

    def transmit(self, values: Values) -> Values:
        """See `SensorCoupling`."""
        shares = [one / float(self._scale) for one in self._axes.to_part(values[0])]
        self._counts = [max(-FULL, min(round(FULL * one), LARGEST)) for one in shares]
        real = self._real
        return (self._axes.to_device([real(one) / real(FULL) * self._scale for one in self._counts]),)

    def events(self) -> Sequence[PinEvent]:
        """See `SensorCoupling`."""
        axes = [word(self._address, self._first + 2 * k, one) for k, one in enumerate(self._counts)]
        return [byte(self._address, NAME, ITS_NAME), *axes]
