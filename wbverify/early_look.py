"""Read the pins at a random time within each step: what a controller commands comes at once, not later."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from wbfirmware.bench import Load
from wbverify.board_pins import PinComparison

if TYPE_CHECKING:
    from wbfirmware.bench import Bench
    from wbverify.board_pins import BoardPins
    from wbverify.coupling.couplings import Commands

__all__ = ["EarlyLook"]

SEED = 1
"""Of the times."""
EARLIEST, SOON, LATEST = 0.02, 0.15, 0.95
"""Parts of the time in which inputs change; every second look is soon."""
SLEPT_US = 200
"""Time asleep after which the controller has certainly computed its step (us)."""


class EarlyLook:
    """Reads those actuators whose pins show a command at once and do not change by themselves."""

    def __init__(self, bench: Bench, pins: BoardPins) -> None:
        self._bench, self._pins = bench, pins
        self._times = random.Random(SEED)
        self._is_soon = False
        self._load: Load | None = None
        """What the processor did before the look."""
        self._found: dict[int, float] = {}

    def plan(self, commands: Mapping[int, Commands], time_us: float) -> tuple[float, Callable[[], None]]:
        """Plan the look of a step.

        Args:
            commands: those in effect, by the tags of actuators.
            time_us: time in which inputs change (us); it begins now.

        Returns:
            Part of this time, and what to do then.
        """
        self._found, self._load = {}, None
        self._is_soon = not self._is_soon
        part = self._times.uniform(EARLIEST, SOON if self._is_soon else LATEST)
        return part, lambda: self._look(commands, part * time_us)

    def _look(self, commands: Mapping[int, Commands], passed_us: float) -> None:
        self._load = self._bench.load()
        if self._load is None or passed_us - self._load.awake < SLEPT_US:
            return  # the controller may still compute
        for tag, act in self._pins.actuators.items():
            if act.is_steady(commands[tag]):
                self._found[tag] = act.found(self._pins.read(act))

    def compare(self, late: PinComparison) -> Iterator[PinComparison]:
        """Compare the same quantity as later in the step; only a difference is a row of its own."""
        found = self._found.get(late.tag)
        if found is not None and not abs(found - late.wanted) <= late.bound:
            yield late._replace(quantity=f"{late.quantity} early in the step", found=found)

    def load(self) -> Load | None:
        """Return what the processor did in the whole step; see `Bench.load`."""
        late, early = self._bench.load(), self._load
        if late is None or early is None:
            return late
        return Load(
            early.awake + late.awake,
            max(early.longest, late.longest),
            early.interrupted + late.interrupted,
            early.interrupts + late.interrupts,
            max(early.locked, late.locked),
        )
