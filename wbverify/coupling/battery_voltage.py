"""The battery's voltage behind a divider."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbverify.coupling.curves import backward, forward
from wbverify.coupling.wires import BoardNumbers, Event, Sense

if TYPE_CHECKING:
    from wbfirmware.hardware import Wiring
    from wbverify.coupling.wires import Values

__all__ = ["make"]


class BatteryVoltage(Sense):
    """Joules as volts of the battery, as volts of the pin."""

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        self._pin, self._numbers = wiring.values["pin"], numbers
        self._curve, self._ratio = wiring.values["curve"], float(wiring.values["ratio"])
        self._code: int | None = None

    def carry(self, values: Values) -> Values:
        """See `Sense`."""
        numbers, real = self._numbers, self._numbers.real
        self._code = numbers.code(backward(self._curve, values[0]) / self._ratio)
        pin = real(numbers.supply) * real(self._code) / real(numbers.adc_top)
        return (float(forward(self._curve, pin * real(self._ratio), real)),)

    def events(self) -> list[Event]:
        """See `Sense`."""
        return [] if self._code is None else [Event(self._pin, self._numbers.volts(self._code))]


def make(wiring: Wiring, numbers: BoardNumbers) -> Sense:
    """See `wbverify.coupling`."""
    return BatteryVoltage(wiring, numbers)
