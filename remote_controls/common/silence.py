"""Detect sensors that are sampled but send nothing: a part is disconnected or missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from wbridge.hal.link.numbering import LinkChannel, Numbering, Slot
from wbridge.hal.link.values import REAL64, fixed_size

PATIENCE = 1000
"""Minimum time without a reading in ms, and minimum number of periods."""
PERIODS = 5


class SilentSensors:
    """Reports once that a sensor sends nothing, and once that it sends again."""

    def __init__(
        self,
        numbering: Numbering,
        say: Callable[[str], None],
        forget: Callable[[LinkChannel], None] = lambda channel: None,
    ) -> None:
        """
        Args:
            numbering: of the robot's device table.
            say: prints a message.
            forget: called for the channels of a sensor when it is reported.
        """
        self._numbering, self._say, self._forget = numbering, say, forget
        self._periods: dict[int, int] = {}
        self._silent: dict[int, int] = {}
        """Time since the last reading in ms, by slot."""
        self._told: set[int] = set()

    def set_period(self, slot: Slot, period: int) -> None:
        """Record a sampling period in ms; 0 disables it."""
        self._told.discard(slot.number)
        self._periods.pop(slot.number, None)
        if period > 0 and self._speaks_always(slot):
            self._periods[slot.number] = period
            self._silent[slot.number] = 0

    def _speaks_always(self, slot: Slot) -> bool:
        """Return True if it sends at each sampling. Values of variable size may be absent."""
        members = [self._numbering.channels[number] for number in slot.channels]
        return slot.tag > 0 and all(fixed_size(member, REAL64) is not None for member in members)

    def step(self, elapsed: int, heard: Iterable[LinkChannel]) -> None:
        """Process an answered step: the channels received in it, and its length (ms)."""
        slots = {link_channel.slot for link_channel in heard}
        for number, period in self._periods.items():
            slot = self._numbering.slots[number]
            if number in slots:
                self._silent[number] = 0
                if number in self._told:
                    self._told.discard(number)
                    self._say(f'"{slot.device}" sends readings again')
                continue
            self._silent[number] += elapsed
            if number not in self._told and self._silent[number] >= max(PATIENCE, PERIODS * period):
                self._told.add(number)
                for channel in slot.channels:
                    self._forget(self._numbering.channels[channel])
                self._say(
                    f'"{slot.device}" sends no readings although it is enabled ({slot.function}): '
                    "it is missing on the board or does not respond; check its wiring"
                )
