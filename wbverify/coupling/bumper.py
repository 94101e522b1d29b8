"""A switch as a bumper."""

from __future__ import annotations

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import BoardNumbers, PinEvent, SensorCoupling, Values


class Bumper(SensorCoupling):
    """Converts contact to a level."""

    def __init__(self, wiring: Wiring) -> None:
        self._pin, self._inverted = wiring.values["pin"], bool(wiring.values["inverted"])
        self._touched = False

    def start(self) -> list[PinEvent]:
        """Nothing touches it."""
        return self.events()

    def transmit(self, values: Values) -> Values:
        """See `SensorCoupling`."""
        self._touched = values[0] != 0
        return (float(self._touched),)

    def events(self) -> list[PinEvent]:
        """See `SensorCoupling`."""
        return [PinEvent(self._pin, float(self._touched != self._inverted))]


def make(wiring: Wiring, numbers: BoardNumbers) -> SensorCoupling:
    """See `wbridge.wbverify.coupling`."""
    return Bumper(wiring)
