"""A VL53L0X time-of-flight sensor: whole millimeters in its registers."""

from __future__ import annotations

import math

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.bus_parts import READING_MS, byte, word
from wbridge.wbverify.coupling.couplings import BoardNumbers, PinEvent, SensorCoupling, Values
from wbridge.wbverify.coupling.curves import backward, forward, lookup

MODEL, ITS_MODEL = 0xC0, 0xEE
STATUS, MEASURED = 0x13, 0x07
RESULT, VALID, NO_ECHO, DISTANCE = 0x14, 11 << 3, 4 << 3, 0x1E
MEMORY, IS_READ = 0x783, 0x01
"""Access to the chip's calibration; on page 7."""
TOP = 8190
SET_UP_MS = 2000.0
"""Time in which the driver sets the part up, in about 15 readings."""


class TimeOfFlight(SensorCoupling):
    """Measures in each step; the driver has no value until it has set the part up."""

    is_exact = False
    reading_ms = READING_MS
    emulators = ("program", "simavr", "rp2040", "micropython")

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        self._address, self._range = int(wiring.values["address"]), float(wiring.values["range"])
        self._lookup, self._real = lookup(wiring.device.constants), numbers.real
        self._mm = TOP
        self._clock_ms = 0.0

    def start(self) -> list[PinEvent]:
        """See `SensorCoupling`."""
        return [byte(self._address, MODEL, ITS_MODEL)]

    def transmit(self, values: Values) -> Values:
        """See `SensorCoupling`."""
        self._mm = min(max(round(backward(self._lookup, values[0]) * 1000), 0), TOP)
        return (self._value(),)

    def _value(self) -> float:
        real = self._real
        meters = real(self._mm) * real(0.001) if self._seen else real(math.inf)
        return float(forward(self._lookup, min(meters, real(self._range)), real))

    @property
    def _seen(self) -> bool:
        return self._mm < TOP

    def events(self) -> list[PinEvent]:
        """See `SensorCoupling`."""
        address = self._address
        return [
            byte(address, MEMORY, IS_READ),
            byte(address, RESULT, VALID if self._seen else NO_ECHO),
            word(address, DISTANCE, self._mm),
            byte(address, STATUS, MEASURED),
        ]

    def expected(self, read: float, passed_ms: float) -> tuple[float, float]:
        """See `SensorCoupling`."""
        self._clock_ms += passed_ms
        starting = math.isnan(read) and self._clock_ms <= SET_UP_MS
        return (read if starting else self._value()), 0.0


make = TimeOfFlight
