"""Finds the parameters with which a simulator is closest to the recordings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.optimize import minimize
from scipy.stats import qmc

from scripts.reality.cubes import Range

POINTS = 12
"""Points all over the ranges, of which the best is refined."""
STEPS = 36
"""Evaluations of the refinement, at most."""


def best_values(cost: Callable[[Sequence[float]], float], ranges: Sequence[Range]) -> tuple[float, ...]:
    """Return the values with the least cost: a search over the ranges, and the simplex method from its best.

    The same for every simulator: the same points, the same number of evaluations.
    """
    low, high = (np.array([getattr(one, side) for one in ranges]) for side in ("low", "high"))
    start = (np.array([one.start for one in ranges]) - low) / (high - low)
    points = [start, *qmc.LatinHypercube(len(ranges), rng=np.random.default_rng(0)).random(POINTS)]

    def at(share: np.ndarray) -> float:
        return cost((low + np.clip(share, 0, 1) * (high - low)).tolist())

    best = min(points, key=at)
    simplex = np.clip(np.vstack([best, best + 0.1 * np.eye(len(ranges))]), 0, 1)
    refined = minimize(
        at, best, method="Nelder-Mead", options={"initial_simplex": simplex, "maxfev": STEPS, "xatol": 1e-4}
    )
    return tuple((low + np.clip(refined.x, 0, 1) * (high - low)).tolist())
