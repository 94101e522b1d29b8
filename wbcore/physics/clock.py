"""Simulated time: counted in whole steps, so that it has no rounding error of a sum."""

from __future__ import annotations

import struct


class Clock:
    """Time (s) for a number of steps, also when the length of a step changes in between."""

    _FORMAT = struct.Struct("<dQd")

    def __init__(self, dt: float) -> None:
        self._dt = dt
        self._since = 0
        self._before = 0.0

    def at(self, steps: int) -> float:
        """The time after this many steps."""
        return self._before + (steps - self._since) * self._dt

    @property
    def terms(self) -> tuple[float, int, float]:
        """What `at` calculates with: the time (s) at a number of steps, that number, and the length (s) of
        each step from then on."""
        return self._before, self._since, self._dt

    def set_step(self, dt: float, steps: int) -> None:
        """From this number of steps on, a step has another length (s)."""
        self._before, self._since, self._dt = self.at(steps), steps, dt

    def save(self) -> bytes:
        """What `restore` needs."""
        return self._FORMAT.pack(self._before, self._since, self._dt)

    def restore(self, state: bytes, steps: int) -> None:
        """Take over a saved clock; the length of a step stays what it is now."""
        dt = self._dt
        self._before, self._since, self._dt = self._FORMAT.unpack(state)
        if dt != self._dt:
            self.set_step(dt, steps)

    @classmethod
    def size(cls) -> int:
        """Number of bytes of a saved clock."""
        return cls._FORMAT.size
