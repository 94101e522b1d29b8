"""The encoder interface of timers, which QEMU does not model: it counts the edges that the bench drives.

Both inputs of a timer are counted (RM0090, table 99): an edge counts up if it continues the sequence 00, 10,
11, 01 of channels 1 and 2, and down otherwise.
"""

from __future__ import annotations

from wbridge.wbfirmware.boards.board import Board
from wbridge.wbfirmware.emulators.qemu_machine import Machine

VARIABLE, BYTES, FIRST_TIMER = "bench_encoders", 4, 2
"""As in encoder.h and stm32.h of the boards; programs without such encoders have no such variable."""
STARTED, DRIVEN, COUNT = 0, 1, 2
"""Offsets."""


def direction(is_first: bool, rises: bool, other: bool) -> int:
    """Return 1 if an edge counts up, -1 if down.

    Args:
        is_first: the edge is at channel 1.
        rises: the level after it.
        other: the level of the other channel.
    """
    return 1 if (rises != other) == is_first else -1


class Encoders:
    """The timers of a board that count encoders."""

    def __init__(self, machine: Machine, board: Board) -> None:
        self._machine = machine
        first = machine.symbols.get(VARIABLE)
        encoders = board.timing.encoders if first is not None else {}
        self._places = [(first or 0) + BYTES * (int(number) - FIRST_TIMER) for number in encoders]
        self._pins = {
            pin: (place, pins.index(pin) == 0, pins[1 - pins.index(pin)])
            for place, pins in zip(self._places, encoders.values(), strict=True)
            for pin in pins
        }

    def begin(self) -> None:
        """Take the place of the timers' counts. Variables must have their initial values."""
        for place in self._places:
            self._machine.write(place + DRIVEN, 1, 1)
            self._machine.keep(place, BYTES)

    def other(self, pin: str) -> str | None:
        """Return the other input of a pin's timer; None if the pin has none."""
        return self._pins[pin][2] if pin in self._pins else None

    def count(self, pin: str, rises: bool, other: bool) -> None:
        """Count an edge at a pin, if its timer counts an encoder."""
        place, is_first, _ = self._pins[pin]
        data = self._machine.read_bytes(place, BYTES)
        if data[STARTED]:
            count = int.from_bytes(data[COUNT:BYTES], "little") + direction(is_first, rises, other)
            self._machine.write(place + COUNT, count & 0xFFFF, 2)

    def __bool__(self) -> bool:
        return bool(self._pins)
