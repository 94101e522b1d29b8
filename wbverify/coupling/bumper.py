"""A switch as a bumper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbverify.coupling.wires import BoardNumbers, Event, Sense

if TYPE_CHECKING:
    from wbfirmware.hardware import Wiring
    from wbverify.coupling.wires import Values

__all__ = ["make"]


class Bumper(Sense):
    """Touched or not, as a level."""

    def __init__(self, wiring: Wiring) -> None:
        self._pin, self._inverted = wiring.values["pin"], bool(wiring.values["inverted"])
        self._touched = False

    def start(self) -> list[Event]:
        """Nothing touches it."""
        return self.events()

    def carry(self, values: Values) -> Values:
        """See `Sense`."""
        self._touched = values[0] != 0
        return (float(self._touched),)

    def events(self) -> list[Event]:
        """See `Sense`."""
        return [Event(self._pin, float(self._touched != self._inverted))]


def make(wiring: Wiring, numbers: BoardNumbers) -> Sense:
    """See `wbverify.coupling`."""
    return Bumper(wiring)
