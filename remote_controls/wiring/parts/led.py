"""An LED at a digital pin: on or off."""

from __future__ import annotations

from typing import Any

from wbridge.remote_controls.protocols.firmata import PinMode
from wbridge.remote_controls.wiring.part import Part, WiringField, boolean, pin


class Wiring(Part):
    """With `invert`, a low pin switches the LED on."""

    TYPES = ("LED",)
    FIELDS = {"led": WiringField(pin, required=True), "invert": WiringField(boolean, False)}

    def __init__(self, fields: dict[str, Any]) -> None:
        super().__init__(fields)
        self._light = 0

    def modes(self) -> dict[str, int]:
        """One pin shines."""
        return {self.fields["led"]: PinMode.OUTPUT}

    def set_light(self, value: int) -> None:
        """Switch on for any value but 0."""
        self._light = value

    def outputs(self) -> dict[str, int]:
        """High or low."""
        return {self.fields["led"]: int((self._light != 0) != self.fields["invert"])}
