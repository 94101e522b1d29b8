"""A DC motor on a motor driver with two PWM inputs: their duty cycles represent a velocity."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from wbverify.coupling.couplings import ActuatorCoupling, BoardNumbers

if TYPE_CHECKING:
    from wbfirmware.bench import PinState
    from wbfirmware.hardware import Wiring
    from wbverify.coupling.couplings import Commands, Values

__all__ = ["make"]


class Drv8833(ActuatorCoupling):
    """It follows velocities; it cannot move to positions."""

    quantity = "velocity"

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        self.pins = (wiring.values["forward"], wiring.values["backward"])
        self._full, self._least = float(wiring.values["full_speed"]), float(wiring.values["least_duty"])
        self._max_velocity = float(wiring.device.constants["maxVelocity"])
        self._numbers = numbers

    def unsupported_command(self, said: Commands) -> tuple[str, float] | None:
        """See `ActuatorCoupling`."""
        position = said.get("set_position", (math.inf,))[0]
        return None if math.isinf(position) else ("set_position", position)

    def wanted(self, said: Commands, seconds: float) -> float:
        """See `ActuatorCoupling`."""
        if "set_position" not in said and "set_velocity" not in said:
            return 0.0
        position = float(said.get("set_position", (0.0,))[0])
        velocity = float(said.get("set_velocity", (self._max_velocity,))[0])
        velocity = max(-self._full, min(velocity, self._full))
        return math.copysign(1.0, position) * velocity if math.isinf(position) else 0.0

    def found(self, shown: Mapping[str, PinState]) -> float:
        """See `ActuatorCoupling`."""
        forward, backward = (self._numbers.duty(shown[pin]) / self._numbers.duty_full for pin in self.pins)
        if forward and backward:
            return math.nan
        share = forward - backward
        if share:
            share = math.copysign((abs(share) - self._least) / (1 - self._least), share)
        return share * self._full

    def bound(self) -> float:
        """Half a step of the duty cycle plus rounding."""
        half_step = 0.5 / self._numbers.duty_full / (1 - self._least)
        return self._full * (half_step + self._numbers.relative)

    def commands(self, shown: Mapping[str, PinState]) -> list[tuple[str, Values]]:
        """See `ActuatorCoupling`."""
        velocity = self.found(shown)
        return [("set_position", (math.inf,)), ("set_velocity", (0.0 if math.isnan(velocity) else velocity,))]


def make(wiring: Wiring, numbers: BoardNumbers) -> ActuatorCoupling:
    """See `wbverify.coupling`."""
    return Drv8833(wiring, numbers)
