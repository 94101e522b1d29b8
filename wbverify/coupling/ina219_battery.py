"""The battery's voltage, measured by an INA219."""

from __future__ import annotations

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.bus_parts import READING_MS, byte
from wbridge.wbverify.coupling.couplings import BoardNumbers, PinEvent, SensorCoupling, Values
from wbridge.wbverify.coupling.curves import backward, forward

VOLTAGE, VOLTS, TOP = 0x02, 0.004, (1 << 13) - 1
"""Its register, the value of one count, and the largest count."""


class Ina219(SensorCoupling):
    """Converts joules to volts of the battery, and to counts of the part."""

    reading_ms = READING_MS

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        self._address, self._curve = int(wiring.values["address"]), wiring.values["curve"]
        self._real = numbers.real
        self._count: int | None = None

    def transmit(self, values: Values) -> Values:
        """See `SensorCoupling`."""
        real = self._real
        self._count = min(round(backward(self._curve, values[0]) / VOLTS), TOP)
        return (float(forward(self._curve, real(self._count) * real(VOLTS), real)),)

    def events(self) -> list[PinEvent]:
        """See `SensorCoupling`."""
        if self._count is None:
            return []
        high, low = divmod(self._count << 3, 256)
        return [byte(self._address, VOLTAGE, high), byte(self._address, VOLTAGE + 1, low)]


make = Ina219
