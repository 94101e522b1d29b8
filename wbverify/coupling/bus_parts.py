"""Three-axis parts on the I2C bus: axis mapping, and registers with signed 16-bit numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import BoardNumbers, PinEvent
from wbridge.wbverify.coupling.curves import backward, forward, lookup

LARGEST = 32767
READING_MS = 5.0
"""Reading a part takes an Uno 0.9 ms, and up to 5 ms with software I2C; the part is set up with the first
reading."""


class AxisMapping:
    """Maps the axes of a part to those of the device, through the device's lookup table."""

    def __init__(self, wiring: Wiring, numbers: BoardNumbers) -> None:
        self._axes: list[str] = wiring.values["axes"]
        self._lookup, self._real = lookup(wiring.device.constants), numbers.real

    def to_part(self, values: Sequence[float]) -> list[float]:
        """Return the part's measurement for values of the device."""
        turned = [0.0, 0.0, 0.0]
        for value, axis in zip(values, self._axes, strict=True):
            measured = backward(self._lookup, value)
            turned["xyz".index(axis[-1])] = -measured if axis.startswith("-") else measured
        return turned

    def to_device(self, measured: Sequence[Any]) -> tuple[float, ...]:
        """Return the device's values, computed as in the driver."""
        turned = [
            -measured["xyz".index(axis[-1])] if axis.startswith("-") else measured["xyz".index(axis[-1])]
            for axis in self._axes
        ]
        return tuple(float(forward(self._lookup, axis, self._real)) for axis in turned)


def byte(address: int, register: int, value: int) -> PinEvent:
    """A register gets a value."""
    return PinEvent(f"I2C:{address}:{register}", value)


def word(address: int, register: int, value: int) -> PinEvent:
    """Write a signed number to two registers, the high byte first."""
    return PinEvent(f"I2C:{address}:{register}:2", value)


def low_words(address: int, first: int, values: Sequence[int]) -> list[PinEvent]:
    """Write signed numbers to two registers each, the low byte first."""
    parts = [value >> shift & 0xFF for value in values for shift in (0, 8)]
    return [byte(address, first + k, part) for k, part in enumerate(parts)]
