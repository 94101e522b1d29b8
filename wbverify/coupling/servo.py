"""A model servo: the length of a pulse is a position."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from wbverify.coupling.couplings import SAMPLING_SHARE, ActuatorCoupling, BoardNumbers

if TYPE_CHECKING:
    from wbfirmware.bench import PinState
    from wbfirmware.hardware import Wiring
    from wbverify.coupling.couplings import Commands, Values

__all__ = ["make"]

LATE_S = 0.004
"""The driver moves the pulse when the board has time, about every millisecond, and a command comes when the
controller has computed it; so much earlier or later all is seen."""


class Servo(ActuatorCoupling):
    """It is led to its position with the velocity that was set."""

    quantity = "position"

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        values = wiring.values
        self.pins = (values["pin"],)
        self._low, self._high = float(values["low"]), float(values["high"])
        self._pulses = int(values["low_pulse"]), int(values["high_pulse"])
        self._max_velocity = float(wiring.device.constants["maxVelocity"])
        self._numbers = numbers
        self._position = self._target = self._limited(0.0)
        self._velocity = self._max_velocity
        """In force since the last step."""
        self._slack = 0.0

    def _limited(self, position: float) -> float:
        return max(self._low, min(position, self._high))

    def wanted(self, said: Commands, seconds: float) -> float:
        """See `ActuatorCoupling`."""
        if "set_position" not in said:
            return math.nan  # nobody leads it: there are no pulses
        target = self._limited(float(said["set_position"][0]))
        velocity = abs(float(said.get("set_velocity", (self._max_velocity,))[0]))

        def place(late: float) -> float:
            """Where it is when it is looked at, if the command comes late (s)."""
            began = _led(self._position, self._target, self._velocity * (SAMPLING_SHARE * seconds + late))
            return _led(began, target, velocity * max(0.0, (1 - SAMPLING_SHARE) * seconds - late))

        now = place(0.0)
        sooner = _led(now, target, velocity * LATE_S)
        self._slack = max(abs(place(LATE_S) - now), abs(sooner - now))
        self._position, self._target, self._velocity = now, target, velocity
        return now

    def found(self, shown: Mapping[str, PinState]) -> float:
        """See `ActuatorCoupling`."""
        one = shown[self.pins[0]]
        if one.use != "servo" or one.value == 0:
            return math.nan
        low, high = self._pulses
        return self._low + (one.value - low) / (high - low) * (self._high - self._low)

    def bound(self) -> float:
        """Half a microsecond of the pulse; under way also what it moves in LATE_S."""
        low, high = self._pulses
        per_us = abs((self._high - self._low) / (high - low))
        largest = max(abs(self._low), abs(self._high))
        return 0.5 * per_us + self._slack + self._numbers.relative * largest

    def commands(self, shown: Mapping[str, PinState]) -> list[tuple[str, Values]]:
        """See `ActuatorCoupling`."""
        position = self.found(shown)
        return [] if math.isnan(position) else [("set_position", (position,))]


def _led(position: float, target: float, most: float) -> float:
    """Where something is that has gone to a target, by a way of some length at most."""
    return position + max(-most, min(target - position, most))


def make(wiring: Wiring, numbers: BoardNumbers) -> ActuatorCoupling:
    """See `wbverify.coupling`."""
    return Servo(wiring, numbers)
