"""A model servo that was made to turn on and on: its pulses are a velocity."""

from __future__ import annotations

import math
from typing import Any

from remote_controls.protocols.firmata import PinMode
from remote_controls.wiring.part import INFINITY, STANDS, Part, WiringField, boolean, pin, positive

__all__ = ["Wiring"]

STILL, SPAN = 90, 90
"""Degrees: the pulse for standing still, and how far away full speed is."""


class Wiring(Part):
    """`max_velocity` is what it turns with at 0 and 180 degrees."""

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
        """One pin makes pulses."""
        return {self.fields["spin"]: PinMode.SERVO}

    def cannot_go_to(self, position: float) -> str:
        """Any position but infinity."""
        return f"a motor wired by spin {STANDS}" if math.isfinite(position) else ""

    def set_position(self, position: float) -> None:
        """Infinite: turn; elsewhere it cannot go: it stands."""
        self._turning = position in (INFINITY, -INFINITY)

    def set_velocity(self, velocity: float) -> None:
        """In rad/s."""
        self._velocity = -velocity if self.fields["invert"] else velocity

    def outputs(self) -> dict[str, int]:
        """Degrees."""
        duty = self._velocity / self.fields["max_velocity"] if self._turning else 0.0
        return {self.fields["spin"]: round(STILL + SPAN * max(-1.0, min(1.0, duty)))}

    def stopped(self) -> dict[str, int]:
        """The pulse for standing still."""
        return {self.fields["spin"]: STILL}
