"""A reflectance sensor with a capacitor: the time until the pin is low."""

from __future__ import annotations

import math

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import PIN_PARTS, BoardNumbers, PinEvent, SensorCoupling, Values
from wbridge.wbverify.coupling.recent import Recent

OFF_US = 40
"""Resolution of the slowest board clock, and the delay of the pin's interrupt by others, at both ends (us);
drivers that disable interrupts for longer add to it."""
CHARGING_MS, RESERVE_MS = 2, 4
"""Maximum duration of charging, and of what follows the longest time."""


class LineSensor(SensorCoupling):
    """Measures whenever its capacitor is charged; the board's clock times the discharge."""

    is_exact = False
    emulators = PIN_PARTS

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        values = wiring.values
        self._name, self._longest = f"RC:{values['pin']}", float(values["longest"])
        self._low, self._high = float(values["low"]), float(values["high"])
        self._width, self._off_us = 0, OFF_US + numbers.locked_us
        self._recent = Recent(self._width)

    def start(self) -> list[PinEvent]:
        """See `SensorCoupling`: the board begins to measure before the first step."""
        return self.events()

    def transmit(self, values: Values) -> Values:
        """See `SensorCoupling`. The board reads it later and with its clock's resolution."""
        share = (values[0] - self._low) / (self._high - self._low)
        self._width = round(max(0.0, share) * self._longest)
        return (self._value(self._width),)

    def _value(self, width: float) -> float:
        share = min(width / self._longest, 1.0)
        return self._low + (self._high - self._low) * share

    def events(self) -> list[PinEvent]:
        """See `SensorCoupling`."""
        return [PinEvent(self._name, self._width)]

    def expected(self, read: float, passed_ms: float) -> tuple[float, float]:
        """See `SensorCoupling`: returns the nearest of the values that existed while the board measured."""
        cycle_ms = self._longest / 1000 + CHARGING_MS + RESERVE_MS
        widths = self._recent.pass_time(self._width, passed_ms, 2 * (cycle_ms + passed_ms))
        if math.isnan(read) and self._recent.is_starting:
            return read, 0.0
        bound = abs(self._high - self._low) * self._off_us / self._longest
        return min(map(self._value, widths), key=lambda width: abs(width - read)), bound


make = LineSensor
