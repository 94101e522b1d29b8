"""A switch at a digital pin: two values."""

from __future__ import annotations

from remote_controls.protocols.firmata import Mode
from remote_controls.wiring.part import Field, Part, boolean, number, pin

__all__ = ["Wiring"]


class Wiring(Part):
    """`high` for a high pin, `low` for a low one; with `pullup` a switch to ground needs no resistor."""

    TYPES = ("DistanceSensor", "LightSensor", "TouchSensor")
    FIELDS = {
        "digital": Field(pin, required=True),
        "pullup": Field(boolean, False),
        "high": Field(number),
        "low": Field(number),
    }

    def modes(self) -> dict[str, int]:
        """One pin reads."""
        return {self.fields["digital"]: Mode.PULLUP if self.fields["pullup"] else Mode.INPUT}

    def value(self, inputs: dict[str, int]) -> float | None:
        """1 is a closed switch: low with `pullup`, high without."""
        level = inputs.get(self.fields["digital"])
        if level is None:
            return None
        said = self.fields["high" if level else "low"]
        return float(bool(level) != self.fields["pullup"]) if said is None else float(said)
