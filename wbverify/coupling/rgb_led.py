"""An LED with red, green and blue at three PWM pins."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from wbridge.wbfirmware.bench import PinState
from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import ActuatorCoupling, BoardNumbers, Commands, Values

FULL = 255


class RgbLed(ActuatorCoupling):
    """Its color as one number, 0xRRGGBB."""

    quantity = "color"

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        constants = wiring.device.constants
        self.pins = tuple(wiring.values[name] for name in ("red", "green", "blue") if name in wiring.values)
        self._inverted, self._numbers = bool(wiring.values.get("inverted")), numbers
        self._gradual = bool(constants.get("gradual"))
        self._colors = [
            tuple(max(0, min(FULL, round(FULL * part))) for part in color)
            for color in constants.get("color") or ()
        ]

    def wanted(self, said: Commands, seconds: float) -> float:
        """See `ActuatorCoupling`."""
        return float(_number(self._color(int(said.get("set", (0,))[0]))))

    def _color(self, value: int) -> Sequence[int]:
        """Return the color that the driver shows for a value."""
        if not self._gradual:
            return self._colors[value - 1] if 1 <= value <= len(self._colors) else (0, 0, 0)
        if not self._colors:
            return value >> 16 & FULL, value >> 8 & FULL, value & FULL
        share = max(0, min(value, FULL))
        return tuple(part * share // FULL for part in self._colors[0])

    def found(self, shown: Mapping[str, PinState]) -> float:
        """See `ActuatorCoupling`."""
        duties = [self._numbers.duty(shown[pin]) for pin in self.pins]
        if any(map(math.isnan, duties)):
            return math.nan
        return float(_number([int(FULL - duty if self._inverted else duty) for duty in duties]))

    def bound(self) -> float:
        """Colors and duty cycles are the same whole numbers."""
        return 0.0

    def commands(self, shown: Mapping[str, PinState]) -> list[tuple[str, Values]]:
        """Return the value whose color is this one or nearest to it."""
        color = self.found(shown)
        if math.isnan(color):
            return [("set", (0,))]
        if self._gradual and not self._colors:
            return [("set", (int(color),))]
        values = range(FULL + 1) if self._gradual else range(len(self._colors) + 1)
        return [("set", (min(values, key=lambda value: abs(_number(self._color(value)) - color)),))]


def _number(color: Sequence[int]) -> int:
    red, green, blue = color
    return red << 16 | green << 8 | blue


make = RgbLed
