"""Schedules steps in real time."""

from __future__ import annotations

import time
from collections.abc import Callable

MOST_LATE_S = 1.0
"""Longest delay (s) that is caught up."""


class Pace:
    """A schedule of steps relative to its start, so that a late step does not delay later ones."""

    def __init__(
        self,
        step_s: float,
        speed: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
        on_late: Callable[[], object] = lambda: None,
    ) -> None:
        """
        step_s: duration of a step in simulated s.
            speed: simulated seconds per real second.
            clock: returns real time in s.
            clock: seconds of real time.
            on_late: called once, if the simulation cannot keep up.
        """
        self._step_s, self._clock = step_s / speed, clock
        self._on_late: Callable[[], object] | None = on_late
        self._start: float | None = None
        self._steps = 0

    def wait_s(self) -> float:
        """Return the seconds until the next step is due, 0 if it is. The first step is due immediately."""
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
        """Record a step."""
        self._steps += 1

    def pause(self) -> None:
        """Restart the schedule with the next step."""
        self._start = None
