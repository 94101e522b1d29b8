"""Hints at copied programs: submissions whose robots move alike, step by step.

The simulation is deterministic, so the same program gives the same way to the last bit, also if names,
comments and layout were changed. Programs that were written independently differ by far more than rounding
after their first turn. A hint is no proof: simple exercises have only one obvious solution.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SAME_M = 1e-6
"""Distance up to which two positions count as the same (m)."""
LEAST_M = 0.01
"""Distance from the start from which positions are compared (m): all robots start in the same place."""
LEAST_SAMPLES = 10
"""Samples that a comparison needs."""
HINT = 0.5
"""Share of equal positions from which a pair is named."""


class Pair(NamedTuple):
    """Two submissions whose robots move alike."""

    first: str
    second: str
    share: float
    """Share of the samples (0 to 1) at which both are in the same place."""


def agreement(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """Return the share of the samples at which two robots that have moved are in the same place.

    Args:
        first: positions (samples, bodies, 3; m) at equal distances in time.
        second: those of the other run; what it lacks at the end counts as different.
    """
    if not (len(first) and len(second)) or first.shape[1] != second.shape[1]:
        return 0.0
    moved = [np.linalg.norm(way - way[0], axis=2).max(axis=1) > LEAST_M for way in (first, second)]
    shorter, longer = sorted((len(first), len(second)))
    is_compared = np.zeros(longer, dtype=bool)
    for one in moved:
        is_compared[: len(one)] |= one
    if is_compared.sum() < LEAST_SAMPLES:
        return 0.0
    distances = np.linalg.norm(first[:shorter] - second[:shorter], axis=2).max(axis=1)
    is_same = is_compared[:shorter] & (distances <= SAME_M)
    return float(is_same.sum() / is_compared.sum())


def similar_pairs(ways: Mapping[str, NDArray[np.float64]]) -> list[Pair]:
    """Return the pairs of submissions that move alike, the most similar first."""
    pairs = [
        Pair(first, second, agreement(ways[first], ways[second])) for first, second in combinations(ways, 2)
    ]
    return sorted((pair for pair in pairs if pair.share >= HINT), key=lambda pair: (-pair.share, *pair[:2]))
