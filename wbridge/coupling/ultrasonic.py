"""An ultrasonic sensor: its echo is a pulse as long as the sound is under way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbridge.coupling.curves import backward, lookup
from wbridge.coupling.wires import BoardNumbers, Event, Sense

if TYPE_CHECKING:
    from hal.firmware.hardware import Wiring
    from wbridge.coupling.wires import Values

__all__ = ["make"]

METERS_PER_US = 0.0001715
"""Half of the speed of sound at 20 degrees: there and back."""
SENSED_M = 0.02
"""What is nearer is not told apart."""


class Ultrasonic(Sense):
    """It measures when the driver triggers it, some time within 60 ms; the board's clock takes the time."""

    is_exact = False
    emulators = ("program", "simavr")

    def __init__(self, wiring: Wiring) -> None:
        self._name = f"ECHO:{wiring.values['trigger']}:{wiring.values['echo']}"
        self._range = float(wiring.values["range"])
        self._lookup = lookup(wiring.device.constants)
        self._meters = self._range

    def carry(self, values: Values) -> Values:
        """See `Sense`; what the board reads is as near to it as its clock is fine."""
        self._meters = max(backward(self._lookup, values[0]), SENSED_M)
        return values

    def events(self) -> list[Event]:
        """See `Sense`."""
        is_heard = self._meters < self._range
        return [Event(self._name, round(self._meters / METERS_PER_US) if is_heard else 0)]


def make(wiring: Wiring, numbers: BoardNumbers) -> Sense:
    """See `wbridge.coupling`."""
    return Ultrasonic(wiring)
