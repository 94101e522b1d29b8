"""A cost with its limit, relative to a yardstick that is measured in the same run.

A ratio holds on fast and slow machines alike. Own turns and those of the yardstick alternate, so that both
meet the same machine, however its speed drifts.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterable
from statistics import median
from typing import NamedTuple

Cost = Callable[[], float]
"""Runs a turn and returns what it costs: seconds, for example."""


class Reading(NamedTuple):
    """A cost and that of the yardstick, both in the unit of the case."""

    ratio: float
    """The own cost over that of the yardstick."""
    own: float
    yardstick: float


class Case(NamedTuple):
    """A measurement with its limit: the largest ratio of the own cost to that of the yardstick."""

    name: str
    measure: Callable[[], Reading]
    limit: float
    unit: str
    """Of both costs."""
    yardstick: str
    """What the cost is compared with: plain work that depends on the machine alone, a peer, or a simpler
    case."""

    def holds(self, reading: Reading) -> bool:
        """True if the ratio meets the limit."""
        return reading.ratio <= self.limit


class Unavailable(Exception):
    """Raised by `measure` if the machine lacks a requirement, named in the message."""


def compare(own: float, yardstick: float) -> Reading:
    """Return the reading of two costs."""
    return Reading(own / yardstick, own, yardstick)


def of_turns(
    turns: Iterable[tuple[float, float]], per: float = 1.0, yardstick_per: float | None = None
) -> Reading:
    """Return the medians of turns that alternated, each an own cost and that of the yardstick.

    Args:
        turns: the costs.
        per: divides the own costs: 1e-6 for microseconds, 1e-6 * steps for microseconds per step.
        yardstick_per: the same for the yardstick, if it differs.
    """
    divisor = per if yardstick_per is None else yardstick_per
    scaled = [(own / per, yardstick / divisor) for own, yardstick in turns]
    ratio = median(own / yardstick for own, yardstick in scaled)
    return Reading(ratio, median(own for own, _ in scaled), median(yardstick for _, yardstick in scaled))


def alternate(
    own: Cost, yardstick: Cost, rounds: int, per: float = 1.0, yardstick_per: float | None = None
) -> Reading:
    """Measure turns in alternation, after one of each to warm up; `per` and `yardstick_per` as in
    `of_turns`."""
    return of_turns(_turns(own, yardstick, rounds), per, yardstick_per)


def fastest(own: Cost, yardstick: Cost, rounds: int, per: float = 1.0) -> Reading:
    """Measure as `alternate` does, and compare the fastest turns of both: for work on all processors, which
    other processes only prolong."""
    turns = _turns(own, yardstick, rounds)
    return compare(min(cost for cost, _ in turns) / per, min(cost for _, cost in turns) / per)


def _turns(own: Cost, yardstick: Cost, rounds: int) -> list[tuple[float, float]]:
    own(), yardstick()
    turns = []
    for number in range(rounds):
        if number % 2:
            cost = own()
            turns.append((cost, yardstick()))
        else:
            reference = yardstick()
            turns.append((own(), reference))
    return turns


def seconds_of(work: Callable[[], object]) -> Cost:
    """Return what runs `work` and returns the seconds that it took."""

    def turn() -> float:
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    return turn


def processor_seconds_of(work: Callable[[], object]) -> Cost:
    """Return what runs `work` and returns the processor time (s) that it took, with that of the processes
    that it started and awaited: other processes of the machine hardly change it."""

    def turn() -> float:
        start = _processor_seconds()
        work()
        return _processor_seconds() - start

    return turn


def _processor_seconds() -> float:
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in usages)


def best_seconds(work: Callable[[], object], repeats: int = 5) -> float:
    """Shortest time in seconds of several runs, the one least disturbed by other processes."""
    turn = seconds_of(work)
    return min(turn() for _ in range(repeats))
