"""A load cell with an HX711: counts that its clock shifts out."""

from __future__ import annotations

import math

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import PIN_PARTS, BoardNumbers, PinEvent, SensorCoupling, Values
from wbridge.wbverify.coupling.curves import backward, forward, lookup
from wbridge.wbverify.coupling.recent import Recent

MOST = (1 << 23) - 1
"""The largest count; the smallest is one less than its negative."""
CONVERSION_MS = 12.5
FULL_GAIN = 128
SET_UP_MS = 1000.0
"""Time until the driver has selected the gain, in the first two readings."""


class LoadCell(SensorCoupling):
    """Measures 80 times a second; a reading returns the last measurement."""

    is_exact = False
    reading_ms = 1.0
    emulators = PIN_PARTS

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        values = wiring.values
        self._name = f"HX711:{values['data']}:{values['clock']}"
        self._zero, self._scale = float(values["zero"]), float(values["scale"])
        self._share = FULL_GAIN // values["gain"]
        self._lookup, self._real = lookup(wiring.device.constants), numbers.real
        self._counts = 0
        self._recent = Recent()
        self._clock_ms = 0.0

    def transmit(self, values: Values) -> Values:
        """See `SensorCoupling`."""
        counts = round(backward(self._lookup, values[0]) * self._scale + self._zero)
        self._counts = max(-MOST - 1, min(counts, MOST))
        return (self._value(self._counts),)

    def _value(self, counts: int) -> float:
        real = self._real
        newtons = (real(counts) - real(self._zero)) / real(self._scale)
        return float(forward(self._lookup, newtons, real))

    def events(self) -> list[PinEvent]:
        """See `SensorCoupling`. The part's input is stated in counts at its full gain."""
        return [PinEvent(self._name, self._counts * self._share)]

    def expected(self, read: float, passed_ms: float) -> tuple[float, float]:
        """See `SensorCoupling`: returns the nearest of the forces that existed while the part measured."""
        self._clock_ms += passed_ms
        counts = self._recent.pass_time(self._counts, passed_ms, 2 * (CONVERSION_MS + passed_ms))
        if math.isnan(read) and self._clock_ms <= SET_UP_MS:
            return read, 0.0
        return min(map(self._value, counts), key=lambda count: abs(count - read)), 0.0


make = LoadCell
