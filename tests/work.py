"""Work counted in calls of functions: the same on every machine, where seconds are not."""

from __future__ import annotations

from collections.abc import Callable
from cProfile import Profile

from fuzz.runner import calls_in

__all__ = ["calls_of"]


def calls_of(work: Callable[[], object]) -> int:
    """Return how many functions some work calls, in Python and C."""
    counter = Profile()
    counter.runcall(work)
    return calls_in(counter)
