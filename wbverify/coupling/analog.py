"""A sensor whose voltage grows evenly with its value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbverify.coupling.wires import BoardNumbers, Event, Sense

if TYPE_CHECKING:
    from wbfirmware.hardware import Wiring
    from wbverify.coupling.wires import Values

__all__ = ["make"]


class Analog(Sense):
    """Its value as a voltage between 0 and the supply."""

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        self._pin, self._numbers = wiring.values["pin"], numbers
        self._low, self._high = float(wiring.values["low"]), float(wiring.values["high"])
        self._code: int | None = None

    def carry(self, values: Values) -> Values:
        """See `Sense`."""
        numbers, real = self._numbers, self._numbers.real
        share = (values[0] - self._low) / (self._high - self._low)
        self._code = numbers.code(share * numbers.supply)
        low, high = real(self._low), real(self._high)
        return (float(low + (high - low) * real(self._code) / real(numbers.adc_top)),)

    def events(self) -> list[Event]:
        """See `Sense`."""
        return [] if self._code is None else [Event(self._pin, self._numbers.volts(self._code))]


def make(wiring: Wiring, numbers: BoardNumbers) -> Sense:
    """See `wbverify.coupling`."""
    return Analog(wiring, numbers)
