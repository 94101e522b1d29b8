"""Values that existed within some time, for sensors that measure at times of their own."""

from __future__ import annotations

from collections import deque


class Recent:
    """Whole numbers that a part measures, such as lengths of echoes or counts."""

    def __init__(self, *first: int) -> None:
        """
        Args:
            first: the value when the board is switched on, if the part is there by then.
        """
        self._clock_ms = 0.0
        self._played: deque[tuple[float, int]] = deque((0.0, value) for value in first)
        """Times at which values were the latest, and the values."""
        self.is_starting = True
        """True if less than the requested time has passed since the start."""

    def pass_time(self, value: int, passed_ms: float, age_ms: float) -> set[int]:
        """Return the values that existed within some time.

        Args:
            value: the latest value.
            passed_ms: time since the last call, or since the start.
            age_ms: maximum age of a value.
        """
        self._clock_ms += passed_ms
        oldest = self._clock_ms - age_ms
        self._played.append((self._clock_ms, value))
        while len(self._played) > 1 and self._played[1][0] < oldest:
            self._played.popleft()
        self.is_starting = oldest < 0
        return {command for _, command in self._played}
