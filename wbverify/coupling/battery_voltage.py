"""The battery's voltage, measured through a divider."""

from __future__ import annotations

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import BoardNumbers, PinEvent, SensorCoupling, Values
from wbridge.wbverify.coupling.curves import backward, forward


class BatteryVoltage(SensorCoupling):
    """Converts joules to volts of the battery, and to volts at the pin."""

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        self._pin, self._numbers = wiring.values["pin"], numbers
        self._curve, self._ratio = wiring.values["curve"], float(wiring.values["ratio"])
        self._code: int | None = None

    def transmit(self, values: Values) -> Values:
        """See `SensorCoupling`."""
        numbers, real = self._numbers, self._numbers.real
        self._code = numbers.code(backward(self._curve, values[0]) / self._ratio)
        pin = real(numbers.supply) * real(self._code) / real(numbers.adc_top)
        return (float(forward(self._curve, pin * real(self._ratio), real)),)

    def events(self) -> list[PinEvent]:
        """See `SensorCoupling`."""
        return [] if self._code is None else [PinEvent(self._pin, self._numbers.volts(self._code))]


make = BatteryVoltage
