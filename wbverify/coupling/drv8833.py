"""A DC motor on a motor driver with two PWM inputs: their duty cycles represent a velocity."""

from __future__ import annotations

import math
from collections.abc import Mapping

from wbridge.wbfirmware.bench import PinState
from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import BoardNumbers
from wbridge.wbverify.coupling.duty_velocity import DutyVelocity


class Drv8833(DutyVelocity):
    """One input has a duty cycle, by the direction; it cannot move to positions."""

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        super().__init__(wiring, numbers)
        self.pins = (wiring.values["forward"], wiring.values["backward"])

    def drives(self, shown: Mapping[str, PinState]) -> bool:
        """See `ActuatorCoupling`; a pin without a function has no duty."""
        return any(self.share(shown, pin) > 0 for pin in self.pins)

    def measured(self, shown: Mapping[str, PinState]) -> float:
        """See `DutyVelocity`."""
        forward, backward = (self.share(shown, pin) for pin in self.pins)
        if forward and backward:
            return math.nan
        self.note_direction(forward - backward)
        return self.velocity(forward - backward)


make = Drv8833
