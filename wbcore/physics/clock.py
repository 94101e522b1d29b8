"""Count simulated time in whole steps, so that no rounding error accumulates."""

from __future__ import annotations

import struct


class Clock:
    """Convert a number of steps to time (s), also when the step length changes in between."""

    _FORMAT = struct.Struct("<dQd")

    def __init__(self, dt: float) -> None:
        self._dt = dt
        self._since = 0
        self._before = 0.0

    def at(self, steps: int) -> float:
        """Return the time (s) after this many steps."""
        return self._before + (steps - self._since) * self._dt

    @property
    def terms(self) -> tuple[float, int, float]:
        """Return the terms of `at`: the time (s) at a number of steps, that number, and the step length (s)
        from then on."""
        return self._before, self._since, self._dt

    def set_step(self, dt: float, steps: int) -> None:
        """Set the step length (s) from this number of steps on."""
        self._before, self._since, self._dt = self.at(steps), steps, dt

    def save(self) -> bytes:
        """Return the bytes for `restore`."""
        return self._FORMAT.pack(self._before, self._since, self._dt)

    def restore(self, state: bytes, steps: int) -> None:
        """Restore a saved clock; the step length stays what it is now."""
        dt = self._dt
        self._before, self._since, self._dt = self._FORMAT.unpack(state)
        if dt != self._dt:
            self.set_step(dt, steps)

    @classmethod
    def size(cls) -> int:
        """Return the number of bytes of a saved clock."""
        return cls._FORMAT.size
