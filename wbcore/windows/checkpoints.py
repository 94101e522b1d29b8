"""States of a running world, taken about once per simulated second, within a bound of memory and time."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable
from typing import NamedTuple

from wbridge.wbcore.simulation import Simulation

PERIOD_S = 1.0
"""Simulated time between two checkpoints."""
MOST_BYTES = 128 * 2**20
LARGEST_SHARE = 0.02
"""Checkpoints are taken less often if they would take more than this share of the real time."""


class Checkpoint(NamedTuple):
    """The state of the world at a moment."""

    time: float
    """Simulated s."""
    state: bytes
    beside: object = None
    """What is kept with it, for the time line."""


class Checkpoints:
    """The checkpoints of one run since its start, oldest first."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        """
        Args:
            clock: the real time (s).
        """
        self._clock = clock
        self._kept: list[Checkpoint] = []
        self.size = 0
        """Bytes of all states."""
        self._period_s = PERIOD_S
        self._next_s = 0.0
        """Simulated time of the next checkpoint."""
        self._allowed = 0.0
        """Real time before which none is taken."""

    def __len__(self) -> int:
        return len(self._kept)

    def take(self, simulation: Simulation, beside: Callable[[], object] = lambda: None) -> None:
        """Take a checkpoint if one is due; call after each step.

        Args:
            simulation: the world.
            beside: called for what is kept with the checkpoint.
        """
        if simulation.time < self._next_s:
            return
        begin = self._clock()
        if begin >= self._allowed:
            self.keep(Checkpoint(simulation.time, simulation.state(), beside()))
            end = self._clock()
            self._allowed = end + (end - begin) / LARGEST_SHARE

    def keep(self, checkpoint: Checkpoint) -> None:
        """Keep a checkpoint; if there are too many, drop every second one."""
        self._kept.append(checkpoint)
        self.size += len(checkpoint.state)
        if self.size > MOST_BYTES:
            del self._kept[1::2]
            self.size = sum(len(kept.state) for kept in self._kept)
            self._period_s *= 2
        self._next_s = checkpoint.time + self._period_s

    def before(self, moment: float) -> Checkpoint | None:
        """Return the newest checkpoint at a moment (simulated s) or before it, else the oldest."""
        if not self._kept:
            return None
        return self._kept[max(0, bisect_right(self._kept, moment, key=lambda kept: kept.time) - 1)]

    def cut(self, last: Checkpoint) -> None:
        """Forget those after one of them."""
        self._kept = [kept for kept in self._kept if kept.time <= last.time]
        self.size = sum(len(kept.state) for kept in self._kept)
        self._next_s, self._allowed = last.time + self._period_s, 0.0

    def forget(self) -> None:
        """Forget all: the world has begun again."""
        self._kept.clear()
        self.size, self._period_s, self._next_s, self._allowed = 0, PERIOD_S, 0.0, 0.0

    @property
    def span(self) -> tuple[float, float]:
        """The simulated times (s) of the oldest and the newest one."""
        return (self._kept[0].time, self._kept[-1].time) if self._kept else (0.0, 0.0)
