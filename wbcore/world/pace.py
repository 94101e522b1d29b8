"""Schedules steps in real time."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["MOST_LATE_S", "Pace"]

MOST_LATE_S = 1.0
"""Longest delay (s) that is caught up."""


class Pace:
    """A schedule of steps, counted from its start, so that a late step makes no later one late."""

    def __init__(
        self,
        step_s: float,
        speed: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
        on_late: Callable[[], object] = lambda: None,
    ) -> None:
        """
        Args:
            step_s: simulated length of a step.
            speed: simulated seconds per second.
            clock: seconds of real time.
            on_late: is called once, when the simulation cannot keep up.
        """
        self._step_s, self._clock = step_s / speed, clock
        self._on_late: Callable[[], object] | None = on_late
        self._start: float | None = None
        self._steps = 0

    def wait_s(self) -> float:
        """Seconds until the next step is due; 0: now. The first one is due at once."""
        now = self._clock()
        if self._start is None:
            self._start, self._steps = now, 0
        early = self._start + self._steps * self._step_s - now
        if early < -MOST_LATE_S:
            self._start, self._steps = now, 0
            if self._on_late is not None:
                self._on_late()
                self._on_late = None
        return max(0.0, early)

    def step(self) -> None:
        """A step was made."""
        self._steps += 1

    def pause(self) -> None:
        """Restart the schedule with the next step."""
        self._start = None
