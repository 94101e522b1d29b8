"""Notices sensors that are sampled and yet say nothing: a part is loose, or is not on the board."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hal.link.numbering import LinkChannel, Numbering, Slot
from hal.link.values import REAL64, fixed_size

__all__ = ["SilentSensors"]

PATIENCE = 1000
"""ms without a reading, at least; and so many periods:"""
PERIODS = 5


class SilentSensors:
    """Says once that a sensor says nothing, and once that it is back."""

    def __init__(self, numbering: Numbering, say: Callable[[str], None]) -> None:
        """
        Args:
            numbering: of the robot's device table.
            say: takes a message for people.
        """
        self._numbering, self._say = numbering, say
        self._periods: dict[int, int] = {}
        self._silent: dict[int, int] = {}
        """ms since the last reading, by slot."""
        self._told: set[int] = set()

    def set_period(self, slot: Slot, period: int) -> None:
        """A sampling period was set, in ms; 0 is off."""
        self._told.discard(slot.number)
        self._periods.pop(slot.number, None)
        if period > 0 and self._speaks_always(slot):
            self._periods[slot.number] = period
            self._silent[slot.number] = 0

    def _speaks_always(self, slot: Slot) -> bool:
        """Does it say something at each sampling? What varies in size may have nothing to say."""
        members = [self._numbering.channels[number] for number in slot.channels]
        return slot.tag > 0 and all(fixed_size(one, REAL64) is not None for one in members)

    def step(self, elapsed: int, heard: Iterable[LinkChannel]) -> None:
        """A step was answered: what was heard in it, and how long it was (ms)."""
        slots = {one.slot for one in heard}
        for number, period in self._periods.items():
            slot = self._numbering.slots[number]
            if number in slots:
                self._silent[number] = 0
                if number in self._told:
                    self._told.discard(number)
                    self._say(f'"{slot.device}" is back')
                continue
            self._silent[number] += elapsed
            if number not in self._told and self._silent[number] >= max(PATIENCE, PERIODS * period):
                self._told.add(number)
                self._say(
                    f'"{slot.device}" sends no readings although it is enabled ({slot.function}): '
                    "it is missing on the board or does not respond; check its wiring"
                )
