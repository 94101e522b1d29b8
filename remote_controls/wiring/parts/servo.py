"""A model servo: it moves to positions and holds them."""

from __future__ import annotations

import math
from typing import Any

from wbridge.remote_controls.protocols.firmata import PinMode
from wbridge.remote_controls.wiring.part import Part, WiringField, number, pin

DEGREES = 180


class Wiring(Part):
    """`low` and `high` are the motor's positions at 0 and at 180 degrees."""

    TYPES = ("RotationalMotor", "LinearMotor")
    FIELDS = {
        "servo": WiringField(pin, required=True),
        "low": WiringField(number, -math.pi / 2),
        "high": WiringField(number, math.pi / 2),
    }

    def __init__(self, fields: dict[str, Any]) -> None:
        super().__init__(fields)
        self._position: float | None = None

    def modes(self) -> dict[str, int]:
        """Return the pulse pin with its mode."""
        return {self.fields["servo"]: PinMode.SERVO}

    def cannot_go_to(self, position: float) -> str:
        """Refuse continuous rotation."""
        return "" if math.isfinite(position) else "a servo cannot turn continuously; wire it as spin or pwm"

    def set_position(self, position: float) -> None:
        """Set the position in rad or m; continuous rotation is not supported."""
        self._position = position if math.isfinite(position) else None

    def outputs(self) -> dict[str, int]:
        """Degrees."""
        low, high = self.fields["low"], self.fields["high"]
        if self._position is None or low == high:
            return {}
        part = (self._position - low) / (high - low)
        return {self.fields["servo"]: round(DEGREES * max(0.0, min(1.0, part)))}

    def resting(self) -> dict[str, int]:
        """Return the output that holds the current position."""
        return {}
