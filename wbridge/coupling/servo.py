"""A model servo: the length of a pulse is a position."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from wbridge.coupling.wires import Act, BoardNumbers

if TYPE_CHECKING:
    from hal.firmware.bench import Shown
    from hal.firmware.hardware import Wiring
    from wbridge.coupling.wires import Said, Values

__all__ = ["make"]

LATE_S = 0.004
"""The driver moves the pulse when the board has time, about every millisecond; a step is seen so much earlier
or later."""


class Servo(Act):
    """It is led to its position with the velocity that was set."""

    quantity = "position"

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        values = wiring.values
        self.pins = (values["pin"],)
        self._low, self._high = float(values["low"]), float(values["high"])
        self._pulses = int(values["low_pulse"]), int(values["high_pulse"])
        self._max_velocity = float(wiring.device.constants["maxVelocity"])
        self._numbers = numbers
        self._position = self._limited(0.0)
        self._slack = 0.0

    def _limited(self, position: float) -> float:
        return max(self._low, min(position, self._high))

    def wanted(self, said: Said, seconds: float) -> float | None:
        """See `Act`."""
        if "set_position" not in said:
            return None  # nobody leads it: there are no pulses
        target = self._limited(float(said["set_position"][0]))
        velocity = abs(float(said.get("set_velocity", (self._max_velocity,))[0]))
        way, most = target - self._position, velocity * seconds
        self._slack = min(abs(way), velocity * (LATE_S + seconds))
        self._position += max(-most, min(way, most))
        return self._position

    def found(self, shown: Mapping[str, Shown]) -> float:
        """See `Act`."""
        one = shown[self.pins[0]]
        if one.use != "servo":
            return math.nan
        low, high = self._pulses
        return self._low + (one.value - low) / (high - low) * (self._high - self._low)

    def bound(self) -> float:
        """Half a microsecond of the pulse; under way also what it moves in a step of the simulation."""
        low, high = self._pulses
        per_us = abs((self._high - self._low) / (high - low))
        largest = max(abs(self._low), abs(self._high))
        return 0.5 * per_us + self._slack + self._numbers.relative * largest

    def commands(self, shown: Mapping[str, Shown]) -> list[tuple[str, Values]]:
        """See `Act`."""
        position = self.found(shown)
        return [] if math.isnan(position) else [("set_position", (position,))]


def make(wiring: Wiring, numbers: BoardNumbers) -> Act:
    """See `wbridge.coupling`."""
    return Servo(wiring, numbers)
