"""One measurement with its limit."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple


class Case(NamedTuple):
    """What is measured, how, and where the limit lies.

    `measure` returns the value in `unit`. The value must be at most `limit`, or at least `limit` when
    `at_least` is set. Where speeds are compared, `measure` takes both in one run and returns their ratio.
    """

    name: str
    measure: Callable[[], float]
    limit: float
    unit: str
    at_least: bool = False

    def holds(self, value: float) -> bool:
        """Is the value on the right side of the limit?"""
        return value >= self.limit if self.at_least else value <= self.limit


class Unavailable(Exception):
    """Raised by `measure` when the machine lacks an input; the message says which."""


def best_seconds(work: Callable[[], object], repeats: int = 5) -> float:
    """Shortest time in seconds of several runs: the one least disturbed by the rest of the machine."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)
