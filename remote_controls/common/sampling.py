"""Determine which sensors are due in a step, and accumulate counters that wrap around."""

from __future__ import annotations

HALF = 0x8000
"""Half of the range of a 16-bit counter."""


class SamplingSchedule:
    """Sampling periods by tag: due when the steps since the last sample reach the period."""

    def __init__(self) -> None:
        self._periods: dict[int, int] = {}
        self._elapsed: dict[int, int] = {}

    def sample(self, tag: int, period: int) -> None:
        """Sample a device every `period` ms; 0 stops sampling."""
        self._elapsed.pop(tag, None)
        self._periods.pop(tag, None)
        if period > 0:
            self._periods[tag], self._elapsed[tag] = period, 0

    def shortest(self) -> int:
        """Return the shortest period in ms; 0 if nothing is sampled."""
        return min(self._periods.values(), default=0)

    def __contains__(self, tag: object) -> bool:
        return tag in self._periods

    def pass_time(self, ms: int) -> set[int]:
        """Advance by a step; return the devices that are due."""
        due = set()
        for tag, period in self._periods.items():
            self._elapsed[tag] += ms
            if self._elapsed[tag] >= period:
                self._elapsed[tag] %= period
                due.add(tag)
        return due


class WrappingCounter:
    """Unwraps a 16-bit counter."""

    def __init__(self) -> None:
        self.total = 0
        self._last: int | None = None

    def take(self, count: int, most: float = HALF) -> bool:
        """Add a reading to `total`.

        Args:
            count: the counter.
            most: the largest possible change since the last reading.

        Returns:
            False if it has changed by more: somebody else has set it. `total` then stays, and later readings
            continue from it.
        """
        change = 0 if self._last is None else (count - self._last + HALF) % (2 * HALF) - HALF
        self._last = count
        if abs(change) > most:
            return False
        self.total += change
        return True

    def break_off(self) -> None:
        """Ignore the difference to the next reading, and continue from the total."""
        self._last = None
