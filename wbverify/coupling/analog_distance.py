"""An analog distance sensor: converts the value to meters, to volts, to an ADC code."""

from __future__ import annotations

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import BoardNumbers, PinEvent, SensorCoupling, Values
from wbridge.wbverify.coupling.curves import backward, forward, lookup


class AnalogDistance(SensorCoupling):
    """Converts the distance to a voltage by the sensor's curve."""

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        self._pin, self._numbers = wiring.values["pin"], numbers
        self._curve, self._lookup = wiring.values["curve"], lookup(wiring.device.constants)
        self._code: int | None = None

    def transmit(self, values: Values) -> Values:
        """See `SensorCoupling`."""
        numbers, real = self._numbers, self._numbers.real
        meters = backward(self._lookup, values[0])
        self._code = numbers.code(backward(self._curve, meters))
        volts = real(numbers.supply) * real(self._code) / real(numbers.adc_top)
        return (float(forward(self._lookup, forward(self._curve, volts, real), real)),)

    def events(self) -> list[PinEvent]:
        """See `SensorCoupling`."""
        return [] if self._code is None else [PinEvent(self._pin, self._numbers.volts(self._code))]


make = AnalogDistance
