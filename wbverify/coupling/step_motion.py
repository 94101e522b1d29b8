"""Base class of stepper motors: counted steps represent a position."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from wbverify.coupling.couplings import PIN_PARTS, SAMPLING_SHARE, ActuatorCoupling, BoardNumbers

if TYPE_CHECKING:
    from wbfirmware.bench import PinState
    from wbfirmware.hardware import Wiring
    from wbverify.coupling.couplings import Commands, Values

__all__ = ["StepMotion"]

LATE_S = 0.004
"""A command arrives after the controller has computed it, and steps are due in whole ms (s)."""
PART_STEPS = 1.5
"""The driver makes whole steps, and those that time has brought by then."""
MOST_PER_S = 1000.0
"""Steps for each second, at one step per ms."""


class StepMotion(ActuatorCoupling):
    """It moves to its position, or without end, at its velocity. From one command to the next, every step is
    known; a new command starts from the steps that were counted, as its time is not known exactly."""

    quantity = "position"
    emulators = PIN_PARTS

    def __init__(self, wiring: Wiring, numbers: BoardNumbers, part: str) -> None:
        """
        Args:
            wiring: the motor in the hardware map.
            numbers: numbers of the board.
            part: what counts the steps, by its name on the bench.
        """
        self.pins = (part,)
        linear = wiring.device.constants.get("type") == "linear"
        self._per_unit = float(wiring.values["steps"]) / (1.0 if linear else math.tau)
        self._sign = -1.0 if wiring.values["inverted"] else 1.0
        self._max_velocity = float(wiring.device.constants["maxVelocity"])
        self._numbers = numbers
        self._place = self._counted = 0.0
        """Steps: where it should be, and where it is."""
        self._command = (0.0, 0.0)
        """In effect since the last step: target (steps) and steps per second."""
        self._was_new = False
        self._rested_s = 0.0
        """Time for which it should have been at its target (s)."""
        self._slack = 0.0

    def _commanded(self, said: Commands) -> tuple[float, float]:
        """Return the target in steps and the steps per second."""
        if "set_position" not in said and "set_velocity" not in said:
            return self._place, 0.0
        position = float(said.get("set_position", (0.0,))[0])
        velocity = float(said.get("set_velocity", (self._max_velocity,))[0])
        rate = min(abs(velocity) * self._per_unit, MOST_PER_S)
        if math.isinf(position):
            return math.copysign(math.inf, position * velocity), rate
        target = position * self._per_unit
        return float(math.trunc(target + math.copysign(0.5, target))), rate

    def wanted(self, said: Commands, seconds: float) -> float:
        """See `ActuatorCoupling`."""
        command, before = self._commanded(said), self._command
        is_new = command != before
        if is_new or self._was_new:
            self._place = self._counted
        began = _moved(self._place, *before, SAMPLING_SHARE * seconds)
        self._place = _moved(began, *command, (1 - SAMPLING_SHARE) * seconds)
        self._command, self._was_new = command, is_new
        self._rested_s = self._rested_s + seconds if began == command[0] and not is_new else 0.0
        self._slack = PART_STEPS + (before[1] + command[1]) * LATE_S if is_new or self._may_move else 0.0
        return self._place / self._per_unit

    @property
    def _may_move(self) -> bool:
        """True unless it stands, or must have arrived at its target."""
        rate = self._command[1]
        return rate > 0 and self._rested_s <= PART_STEPS / rate + LATE_S

    def drives(self, shown: Mapping[str, PinState]) -> bool:
        """See `ActuatorCoupling`: it has made steps."""
        return shown[self.pins[0]].value != 0

    def found(self, shown: Mapping[str, PinState]) -> float:
        """See `ActuatorCoupling`."""
        one = shown[self.pins[0]]
        if one.use != "steps":
            return math.nan
        self._counted = self._sign * one.value
        return self._counted / self._per_unit

    def bound(self) -> float:
        """While it moves, some steps; none at its target."""
        return (self._slack + self._numbers.relative * abs(self._place)) / self._per_unit

    def commands(self, shown: Mapping[str, PinState]) -> list[tuple[str, Values]]:
        """See `ActuatorCoupling`."""
        position = self.found(shown)
        return [] if math.isnan(position) else [("set_position", (position,))]


def _moved(place: float, target: float, rate: float, seconds: float) -> float:
    """Return a place after some time on the way to a target."""
    most = rate * seconds
    return place + max(-most, min(target - place, most))
