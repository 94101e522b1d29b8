"""A measurement with its limit."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple


class Case(NamedTuple):
    """A measurement with its limit.

    `measure` returns the value in `unit`. The value must be at most `limit`, or at least `limit` when
    `at_least` is set. To compare speeds, `measure` measures both in one run and returns their ratio.
    """

    name: str
    measure: Callable[[], float]
    limit: float
    unit: str
    at_least: bool = False

    def holds(self, value: float) -> bool:
        """True if the value meets the limit."""
        return value >= self.limit if self.at_least else value <= self.limit


class Unavailable(Exception):
    """Raised by `measure` if the machine lacks a requirement, named in the message."""


def best_seconds(work: Callable[[], object], repeats: int = 5) -> float:
    """Shortest time in seconds of several runs, the one least disturbed by other processes."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)
