"""An analog distance sensor: from the value back to meters, to volts, to a code of the converter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbverify.coupling.curves import backward, forward, lookup
from wbverify.coupling.wires import BoardNumbers, Event, Sense

if TYPE_CHECKING:
    from wbfirmware.hardware import Wiring
    from wbverify.coupling.wires import Values

__all__ = ["make"]


class AnalogDistance(Sense):
    """A voltage that follows from the distance by the sensor's curve."""

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        self._pin, self._numbers = wiring.values["pin"], numbers
        self._curve, self._lookup = wiring.values["curve"], lookup(wiring.device.constants)
        self._code: int | None = None

    def carry(self, values: Values) -> Values:
        """See `Sense`."""
        numbers, real = self._numbers, self._numbers.real
        meters = backward(self._lookup, values[0])
        self._code = numbers.code(backward(self._curve, meters))
        volts = real(numbers.supply) * real(self._code) / real(numbers.adc_top)
        return (float(forward(self._lookup, forward(self._curve, volts, real), real)),)

    def events(self) -> list[Event]:
        """See `Sense`."""
        return [] if self._code is None else [Event(self._pin, self._numbers.volts(self._code))]


def make(wiring: Wiring, numbers: BoardNumbers) -> Sense:
    """See `wbverify.coupling`."""
    return AnalogDistance(wiring, numbers)
