"""A gradual LED at a PWM pin."""

from __future__ import annotations

from collections.abc import Mapping

from wbridge.wbfirmware.bench import PinState
from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import ActuatorCoupling, BoardNumbers, Commands, Values


class PwmLed(ActuatorCoupling):
    """Its light, 0 to 255."""

    quantity = "light"

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        self.pins = (wiring.values["pin"],)
        self._inverted, self._numbers = bool(wiring.values["inverted"]), numbers

    def is_steady(self, said: Commands) -> bool:
        """See `ActuatorCoupling`."""
        return True

    def wanted(self, said: Commands, seconds: float) -> float:
        """See `ActuatorCoupling`."""
        return float(max(0, min(said.get("set", (0,))[0], self._numbers.duty_full)))

    def found(self, shown: Mapping[str, PinState]) -> float:
        """See `ActuatorCoupling`."""
        duty = self._numbers.duty(shown[self.pins[0]])
        return self._numbers.duty_full - duty if self._inverted else duty

    def bound(self) -> float:
        """Values and duty cycles are the same whole numbers."""
        return 0.0

    def commands(self, shown: Mapping[str, PinState]) -> list[tuple[str, Values]]:
        """See `ActuatorCoupling`."""
        light = self.found(shown)
        return [("set", (0 if light != light else int(light),))]


make = PwmLed
