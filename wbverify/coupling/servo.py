"""A model servo: the pulse length represents a position."""

from __future__ import annotations

import math
from collections.abc import Mapping

from wbridge.wbfirmware.bench import PinState
from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import (
    SAMPLING_SHARE,
    ActuatorCoupling,
    BoardNumbers,
    Commands,
    Values,
)

LATE_S = 0.004
"""The driver updates the pulse about every millisecond, and a command arrives after the controller has
computed it; observations may be early or late by this time (s)."""


class Servo(ActuatorCoupling):
    """The driver moves it to its position with the velocity that was set."""

    quantity = "position"

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        values = wiring.values
        self.pins = (values["pin"],) if "pin" in values else ()
        self._low, self._high = float(values["low"]), float(values["high"])
        self._pulses = int(values["low_pulse"]), int(values["high_pulse"])
        self._max_velocity = float(wiring.device.constants["maxVelocity"])
        self._numbers = numbers
        self._position = self._target = self._limited(0.0)
        self._velocity = self._max_velocity
        """The velocity in effect since the last step."""
        self.slack = 0.0
        """How far it may be elsewhere because of delays."""

    def _limited(self, position: float) -> float:
        return max(self._low, min(position, self._high))

    def wanted(self, said: Commands, seconds: float) -> float:
        """See `ActuatorCoupling`."""
        if "set_position" not in said:
            return math.nan  # not controlled: no pulses
        target = self._limited(float(said["set_position"][0]))
        velocity = abs(float(said.get("set_velocity", (self._max_velocity,))[0]))

        def place(late: float) -> float:
            """Return its position when read, if the command comes late by a time (s)."""
            began = _led(self._position, self._target, self._velocity * (SAMPLING_SHARE * seconds + late))
            return _led(began, target, velocity * max(0.0, (1 - SAMPLING_SHARE) * seconds - late))

        now = place(0.0)
        sooner = _led(now, target, velocity * LATE_S)
        self.slack = max(abs(place(LATE_S) - now), abs(sooner - now))
        self._position, self._target, self._velocity = now, target, velocity
        return now

    def drives(self, shown: Mapping[str, PinState]) -> bool:
        """See `ActuatorCoupling`: pulses move a servo."""
        level = shown[self.pins[0]]
        return level.use == "servo" and level.value > 0

    def found(self, shown: Mapping[str, PinState]) -> float:
        """See `ActuatorCoupling`."""
        pulse = self.pulse(shown)
        if pulse == 0:
            return math.nan
        low, high = self._pulses
        return self._low + (pulse - low) / (high - low) * (self._high - self._low)

    def pulse(self, shown: Mapping[str, PinState]) -> float:
        """Return the length of the pulses in us; 0: there are none."""
        level = shown[self.pins[0]]
        return level.value if level.use == "servo" else 0.0

    def resolution(self) -> float:
        """Return half a step of the pulse length (us)."""
        return 0.5

    def bound(self) -> float:
        """Half a step of the pulse; while moving also the distance in the time by which it may be late."""
        low, high = self._pulses
        per_us = abs((self._high - self._low) / (high - low))
        largest = max(abs(self._low), abs(self._high))
        return self.resolution() * per_us + self.slack + self._numbers.relative * largest

    def commands(self, shown: Mapping[str, PinState]) -> list[tuple[str, Values]]:
        """See `ActuatorCoupling`."""
        position = self.found(shown)
        return [] if math.isnan(position) else [("set_position", (position,))]


def _led(position: float, target: float, most: float) -> float:
    """Return a position after moving toward a target by at most a given distance."""
    return position + max(-most, min(target - position, most))


make = Servo
