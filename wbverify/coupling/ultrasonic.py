"""An ultrasonic sensor: its echo pulse is as long as the sound travels."""

from __future__ import annotations

import math
from collections.abc import Mapping

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import PIN_PARTS, BoardNumbers, PinEvent, SensorCoupling, Values
from wbridge.wbverify.coupling.curves import backward, forward, lookup
from wbridge.wbverify.coupling.recent import Recent

METERS_PER_US = 0.0001715
"""Half the speed of sound at 20 degrees Celsius: the way there and back."""
SENSED_M = 0.02
"""Minimum distance (m) that can be distinguished."""
TICK_US, HELD_UP_US = 4, 16
"""Resolution of the slowest board clock, and maximum delay of the echo's interrupt by others (us); drivers
that disable interrupts for longer add to it."""
ROUND_MS, GAP_MS = 61, 31
"""Time between two measurements of the driver, and those of two sensors, in whole ms; a missing echo is
noticed when the next one begins."""
NOTHING_US = 38_000
"""Length of the pulse of an HC-SR04 that hears no echo, at least (us)."""
SENDING_MS = 0.45
"""Time until the part has sent its sound."""


class Ultrasonic(SensorCoupling):
    """Measures when the driver triggers it, within 60 ms; the board's clock times the echo."""

    is_exact = False
    emulators = PIN_PARTS

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        self._name = f"ECHO:{wiring.values['trigger']}:{wiring.values['echo']}"
        self._range = float(wiring.values["range"])
        self._lookup = lookup(wiring.device.constants)
        self._meters = self._range
        self._real = numbers.real
        self._off_us = TICK_US + HELD_UP_US + numbers.locked_us
        self._round_ms = ROUND_MS
        self._nothing_us = max(NOTHING_US, round(self._range / METERS_PER_US) + 1)
        self._recent = Recent()
        """Lengths of possible echoes (us)."""

    def connect_sensors(self, sensors: Mapping[str, SensorCoupling]) -> None:
        """See `SensorCoupling`: sensors of this kind take turns."""
        others = sum(isinstance(sensor, Ultrasonic) for sensor in sensors.values())
        self._round_ms = max(ROUND_MS, GAP_MS * others)

    def transmit(self, values: Values) -> Values:
        """See `SensorCoupling`. The board reads it later and with its clock's resolution."""
        self._meters = max(backward(self._lookup, values[0]), SENSED_M)
        return values

    @property
    def _width(self) -> int:
        """Return the length of the echo in us."""
        return round(self._meters / METERS_PER_US) if self._meters < self._range else self._nothing_us

    def events(self) -> list[PinEvent]:
        """See `SensorCoupling`."""
        return [PinEvent(self._name, self._width)]

    def expected(self, read: float, passed_ms: float) -> tuple[float, float]:
        """See `SensorCoupling`: returns the nearest of the distances that existed while the board
        measured."""
        widths = self._recent.pass_time(self._width, passed_ms, self._age_ms(passed_ms))
        if math.isnan(read) and self._recent.is_starting:
            return read, 0.0
        return min(map(self._told, widths), key=lambda pulse: abs(pulse[0] - read))

    def _age_ms(self, step_ms: float) -> float:
        """Return the maximum age of a reading: two measurements, an echo, and the step in which it was
        set."""
        return 2 * self._round_ms + SENDING_MS + self._nothing_us / 1000 + step_ms

    def _told(self, width: int) -> tuple[float, float]:
        """Return the driver's value for an echo, and its tolerance."""
        if width == self._nothing_us:
            return float(forward(self._lookup, self._real(self._range), self._real)), 0.0
        low, middle, high = (self._value(width + off) for off in (-self._off_us, 0, self._off_us))
        return middle, max(abs(low - middle), abs(high - middle))

    def _value(self, width: int) -> float:
        meters = min(self._real(width) * self._real(METERS_PER_US), self._real(self._range))
        return float(forward(self._lookup, meters, self._real))


make = Ultrasonic
