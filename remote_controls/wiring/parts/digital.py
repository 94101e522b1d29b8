"""A switch at a digital pin: two values."""

from __future__ import annotations

from wbridge.remote_controls.protocols.firmata import PinMode
from wbridge.remote_controls.wiring.part import Part, WiringField, boolean, number, pin


class Wiring(Part):
    """`high` and `low` are the values for a high and a low pin; with `pullup`, a switch to ground needs no
    resistor."""

    TYPES = ("DistanceSensor", "LightSensor", "TouchSensor")
    FIELDS = {
        "digital": WiringField(pin, required=True),
        "pullup": WiringField(boolean, False),
        "high": WiringField(number),
        "low": WiringField(number),
    }

    def modes(self) -> dict[str, int]:
        """One pin reads."""
        return {self.fields["digital"]: PinMode.PULLUP if self.fields["pullup"] else PinMode.INPUT}

    def value(self, inputs: dict[str, int]) -> float | None:
        """Return 1 for a closed switch: low with `pullup`, high without."""
        level = inputs.get(self.fields["digital"])
        if level is None:
            return None
        said = self.fields["high" if level else "low"]
        return float(bool(level) != self.fields["pullup"]) if said is None else float(said)
