"""A LED at a pin."""

from __future__ import annotations

from collections.abc import Mapping

from wbridge.wbfirmware.bench import PinState
from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import ActuatorCoupling, BoardNumbers, Commands, Values


class GpioLed(ActuatorCoupling):
    """Lit or not."""

    quantity = "lit"

    def __init__(self, wiring: Wiring) -> None:
        self.pins = (wiring.values["pin"],)
        self._inverted = bool(wiring.values["inverted"])

    def is_steady(self, said: Commands) -> bool:
        """See `ActuatorCoupling`."""
        return True

    def wanted(self, said: Commands, seconds: float) -> float:
        """See `ActuatorCoupling`."""
        return float(said.get("set", (0,))[0] != 0)

    def found(self, shown: Mapping[str, PinState]) -> float:
        """See `ActuatorCoupling`."""
        level = shown[self.pins[0]]
        return float((level.value != 0) != self._inverted) if level.use == "output" else float("nan")

    def bound(self) -> float:
        """A level is a level."""
        return 0.0

    def commands(self, shown: Mapping[str, PinState]) -> list[tuple[str, Values]]:
        """See `ActuatorCoupling`."""
        return [("set", (int(self.found(shown) == 1),))]


def make(wiring: Wiring, numbers: BoardNumbers) -> ActuatorCoupling:
    """See `wbridge.wbverify.coupling`."""
    return GpioLed(wiring)
