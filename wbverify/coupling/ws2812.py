"""An LED of a chain of WS2812 LEDs."""

from __future__ import annotations

import math
from collections.abc import Mapping

from wbridge.wbfirmware.bench import PinState
from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import BoardNumbers
from wbridge.wbverify.coupling.rgb_led import RgbLed


class Pixel(RgbLed):
    """Its color, as the chain has decoded it; none if a pulse was too short or too long."""

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        super().__init__(wiring, numbers)
        self.pins = (f"WS2812:{wiring.values['pin']}:{wiring.values['place']}",)

    def found(self, shown: Mapping[str, PinState]) -> float:
        """See `ActuatorCoupling`."""
        (state,) = shown.values()
        return state.value if state.use == "color" else math.nan


make = Pixel
