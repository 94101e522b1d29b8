"""A sensor whose voltage is linear in its value."""

from __future__ import annotations

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import BoardNumbers, PinEvent, SensorCoupling, Values


class Analog(SensorCoupling):
    """Converts the value to a voltage between 0 and the supply."""

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        self._pin, self._numbers = wiring.values["pin"], numbers
        self._low, self._high = float(wiring.values["low"]), float(wiring.values["high"])
        self._code: int | None = None

    def transmit(self, values: Values) -> Values:
        """See `SensorCoupling`."""
        numbers, real = self._numbers, self._numbers.real
        share = (values[0] - self._low) / (self._high - self._low)
        self._code = numbers.code(share * numbers.supply)
        low, high = real(self._low), real(self._high)
        return (float(low + (high - low) * real(self._code) / real(numbers.adc_top)),)

    def events(self) -> list[PinEvent]:
        """See `SensorCoupling`."""
        return [] if self._code is None else [PinEvent(self._pin, self._numbers.volts(self._code))]


make = Analog
