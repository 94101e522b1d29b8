"""Parts with three axes at the I2C bus: which axis is which, and registers with signed numbers of 16 bits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wbverify.coupling.couplings import PinEvent
from wbverify.coupling.curves import backward, forward, lookup

if TYPE_CHECKING:
    from wbfirmware.hardware import Wiring
    from wbverify.coupling.couplings import BoardNumbers

__all__ = ["LARGEST", "READING_MS", "AxisMapping", "byte", "word"]

LARGEST = 32767
READING_MS = 5.0
"""Setting up and reading a part takes 0.9 ms of an Uno, and up to 5 ms where a program drives the bus; set up
it is with the first reading only."""


class AxisMapping:
    """Maps the axes of a part to those of the device, through the device's lookup table."""

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        self._axes: list[str] = wiring.values["axes"]
        self._lookup, self._real = lookup(wiring.device.constants), numbers.real

    def to_part(self, values: Sequence[float]) -> list[float]:
        """The part's measurement for some values of the device."""
        found = [0.0, 0.0, 0.0]
        for value, axis in zip(values, self._axes, strict=True):
            measured = backward(self._lookup, value)
            found["xyz".index(axis[-1])] = -measured if axis.startswith("-") else measured
        return found

    def to_device(self, measured: Sequence[Any]) -> tuple[float, ...]:
        """The device's values, computed as the driver computes them."""
        turned = [
            -measured["xyz".index(axis[-1])] if axis.startswith("-") else measured["xyz".index(axis[-1])]
            for axis in self._axes
        ]
        return tuple(float(forward(self._lookup, one, self._real)) for one in turned)


def byte(address: int, register: int, value: int) -> PinEvent:
    """A register gets a value."""
    return PinEvent(f"I2C:{address}:{register}", value)


def word(address: int, register: int, value: int) -> PinEvent:
    """Two registers get a signed number, its high byte first."""
    return PinEvent(f"I2C:{address}:{register}:2", value)
