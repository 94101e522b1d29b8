"""The order of vertical wires with few crossings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Lane(NamedTuple):
    """A vertical wire with the places (y) of the wires that leave it."""

    name: str
    inner: Sequence[float]
    """Toward the board."""
    outer: Sequence[float]
    """Toward the parts."""

    @property
    def span(self) -> tuple[float, float]:
        """Return its two ends."""
        places = [*self.inner, *self.outer]
        return min(places), max(places)


def crossings(lanes: Sequence[Lane]) -> int:
    """Return how many crossings an order from the board outward has."""
    return sum(_pair(lane, other) for k, lane in enumerate(lanes) for other in lanes[k + 1 :])


def _pair(lane: Lane, other: Lane) -> int:
    """Return the crossings of two wires, the first of which is nearer to the board."""
    (a, b), (c, d) = lane.span, other.span
    return sum(c < y < d for y in lane.outer) + sum(a < y < b for y in other.inner)


def ordered(lanes: Sequence[Lane]) -> list[Lane]:
    """Return an order in which no wire can be moved to a place with fewer crossings."""
    found: list[Lane] = []
    for lane in lanes:
        places = [(crossings([*found[:k], lane, *found[k:]]), k) for k in range(len(found) + 1)]
        found.insert(min(places)[1], lane)
    best, moved = crossings(found), True
    while moved:
        moved = False
        for lane in list(found):
            rest = [other for other in found if other is not lane]
            cost, k = min((crossings([*rest[:k], lane, *rest[k:]]), k) for k in range(len(rest) + 1))
            if cost < best:
                found, best, moved = [*rest[:k], lane, *rest[k:]], cost, True
    return found
