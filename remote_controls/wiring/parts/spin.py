"""A continuous-rotation servo: its pulses set a velocity."""

from __future__ import annotations

import math
from typing import Any

from wbridge.remote_controls.protocols.firmata import PinMode
from wbridge.remote_controls.wiring.part import INFINITY, STANDS, Part, WiringField, boolean, pin, positive

STILL, SPAN = 90, 90
"""Degrees: the pulse for standstill, and the difference to full speed."""


class Wiring(Part):
    """`max_velocity` is its velocity at 0 and 180 degrees."""

    TYPES = ("RotationalMotor",)
    FIELDS = {
        "spin": WiringField(pin, required=True),
        "max_velocity": WiringField(positive, 6.0),
        "invert": WiringField(boolean, False),
    }

    def __init__(self, fields: dict[str, Any]) -> None:
        super().__init__(fields)
        self._velocity, self._turning = 0.0, False

    def modes(self) -> dict[str, int]:
        """Return the pulse pin with its mode."""
        return {self.fields["spin"]: PinMode.SERVO}

    def cannot_go_to(self, position: float) -> str:
        """Refuse all positions but infinity."""
        return f"a motor wired by spin {STANDS}" if math.isfinite(position) else ""

    def set_position(self, position: float) -> None:
        """Turn if the position is infinite; other positions are not supported: the servo stops."""
        self._turning = position in (INFINITY, -INFINITY)

    def set_velocity(self, velocity: float) -> None:
        """In rad/s."""
        self._velocity = -velocity if self.fields["invert"] else velocity

    def outputs(self) -> dict[str, int]:
        """Degrees."""
        duty = self._velocity / self.fields["max_velocity"] if self._turning else 0.0
        return {self.fields["spin"]: round(STILL + SPAN * max(-1.0, min(1.0, duty)))}

    def stopped(self) -> dict[str, int]:
        """Return the pulse for standstill."""
        return {self.fields["spin"]: STILL}
