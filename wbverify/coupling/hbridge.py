"""A DC motor with an H bridge: duty cycle and direction represent a velocity."""

from __future__ import annotations

import math
from collections.abc import Mapping

from wbridge.wbfirmware.bench import PinState
from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import (
    PIN_PARTS,
    BoardNumbers,
    Commands,
    SensorCoupling,
    positions_before,
    sampling_share,
)
from wbridge.wbverify.coupling.duty_velocity import DutyVelocity

ROUND_S = 0.015
"""The driver's position loop runs every 10 ms, counted in whole ms, but never while the controller
computes."""

LEAST_GAP_US = 9
"""Both inputs are low for so long before one rises: the driver waits 10 us, of which its clock may hide one,
as transistors take up to some us to switch off (data sheet of the L298)."""


class HBridge(DutyVelocity):
    """In position control, the velocity follows from the encoder by the gain P, as in simulation."""

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        super().__init__(wiring, numbers)
        self._pwm, self._forward, self._backward = (
            wiring.values[name] for name in ("pwm", "forward", "backward")
        )
        self._bridge = f"BRIDGE:{self._forward}:{self._backward}"
        self._is_watched = numbers.emulator in PIN_PARTS
        self.pins = (self._pwm, self._forward, self._backward, *([self._bridge] if self._is_watched else ()))
        self._gain = float((wiring.device.constants.get("controlPID") or (0.0,))[0])

    def feedback_sensor(self, said: Commands) -> SensorCoupling | None:
        """See `ActuatorCoupling`: position control needs the encoder."""
        if math.isinf(said.get("set_position", (math.inf,))[0]):
            return super().feedback_sensor(said)
        return self._encoder

    def unsupported_command(self, said: Commands) -> tuple[str, float] | None:
        """Position control is not supported without an encoder."""
        return None if self._encoder is not None else super().unsupported_command(said)

    def approach(self, position: float, most: float, seconds: float) -> float:
        """Return the middle of the velocities that the driver may have chosen last, and note the maximum
        deviation; 0 without an encoder."""
        if self._encoder is None:
            return 0.0
        begin = sampling_share(self._senses, 1000 * seconds)
        places = positions_before(self._encoder.course, seconds, begin, ROUND_S)
        velocities = [max(-most, min(self._gain * (position - seen), most)) for seen in places]
        low, high = min(velocities), max(velocities)
        self._slack = (high - low) / 2
        return (low + high) / 2

    def drives(self, shown: Mapping[str, PinState]) -> bool:
        """See `ActuatorCoupling`: a direction input is high; both brake."""
        levels = [shown[pin] for pin in (self._forward, self._backward)]
        return any(level.use == "output" and level.value for level in levels)

    def measured(self, shown: Mapping[str, PinState]) -> float:
        """See `DutyVelocity`."""
        levels = [shown[pin] for pin in (self._forward, self._backward)]
        if any(level.use != "output" for level in levels) or (levels[0].value and levels[1].value):
            return math.nan
        if self._is_watched and shown[self._bridge].value < LEAST_GAP_US:
            return math.nan
        way = int(levels[0].value - levels[1].value)
        self.note_direction(way)
        share = self.share(shown, self._pwm)
        if way == 0 and share:  # pulses would let a bridge without a brake creep
            return math.nan
        return self.velocity(share) * way


make = HBridge
