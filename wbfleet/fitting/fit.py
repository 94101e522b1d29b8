"""Fits parameters of a model to a log: a search over the ranges, then least squares, twice.

In the first fit each sensor counts by the spread of its readings, in the second by the size of its residuals,
which is what noise and faults of the model leave. The uncertainty follows from the Jacobian: a direction in
the space of parameters that the data tell less about than the ranges do is not determined.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from wbridge.wbfleet.fitting.parameters import Parameter, with_values
from wbridge.wbfleet.fitting.replay import Pair, Replay
from wbridge.wbfleet.fitting.residuals import Residuals, Vector, rms
from wbridge.wbfleet.sweeps.sweep import Workers

PER_PARAMETER = 12
"""Replays of the search for each parameter."""
TOLERANCE = 1e-7
MOST_STEPS = 30
UNKNOWN = 0.25
"""Standard deviation, as a share of the range, above which data tell nothing; a range alone has 0.29."""
MIXED = 0.2
"""Share of a parameter in a direction that is not determined, above which it is not, either."""
AT_BOUND = 1e-3
LEAST_VARIANCE = 1e-12
"""Of residuals that count by their size; less are perfect."""


class Fitted(NamedTuple):
    """A parameter after the fit."""

    parameter: Parameter
    value: float
    deviation: float
    """Standard deviation of the value."""
    is_known: bool
    """False if the data cannot tell the value, or only together with those of others."""
    mixed_with: tuple[str, ...]
    """The parameters of which only a combination is known, this one left out."""
    is_at_bound: bool
    """True if a better value may lie outside of the range."""


class Fit(NamedTuple):
    """The result of a fit."""

    parameters: tuple[Fitted, ...]
    rms_before: float
    """Root of the mean square of the residuals at the start, as shares of the sensors' spreads."""
    rms_after: float
    replays: int
    """Number of replays that were made."""
    best: Replay
    """The replay with the fitted values."""


def fit(
    replay: Replay,
    pairs: Sequence[Pair],
    parameters: Sequence[Parameter],
    workers: Workers,
    seed: int = 0,
    on_replays: Callable[[int], object] = lambda count: None,
) -> Fit:
    """Fit parameters.

    Args:
        replay: with all other values.
        pairs: readings of `replay`; those of the sensors that do not count have no finite number in `real`.
        parameters: to fit.
        workers: carry out the replays.
        seed: of the search.
        on_replays: called with the number of replays that were made.

    Raises:
        FitError: no replay succeeds, or there is nothing to compare.
        ImportError: SciPy is missing.
    """
    from scipy.optimize import least_squares  # start-up: 0.3 s

    residuals = Residuals(replay, pairs, parameters, workers, on_replays)
    start = np.array([(parameter.start - parameter.low) / parameter.width for parameter in parameters])
    first, *_ = residuals.at([start])
    best = residuals.best([start, *_search(len(parameters), seed)])
    found = best
    for is_second in (False, True):
        if is_second:
            residuals.weigh(found)
        solved = least_squares(
            residuals.one,
            np.clip(found, 0.0, 1.0),
            residuals.jacobian,
            bounds=(0.0, 1.0),
            xtol=TOLERANCE,
            ftol=TOLERANCE,
            max_nfev=MOST_STEPS,
        )
        found = solved.x
    last = residuals.one(found)
    made = _fitted(parameters, found, residuals.jacobian(found), residuals.variance(last))
    after = residuals.spread_rms(last)
    return Fit(made, rms(first), after, residuals.count, with_values(replay, parameters, found))


def _search(dimensions: int, seed: int) -> Vector:
    from scipy.stats import qmc  # start-up: 0.5 s

    random = np.random.default_rng(seed)
    points: Vector = qmc.LatinHypercube(dimensions, rng=random).random(PER_PARAMETER * dimensions)
    return points


def _fitted(
    parameters: Sequence[Parameter], found: Vector, jacobian: Vector, variance: float
) -> tuple[Fitted, ...]:
    """Return values with their uncertainties, from the Jacobian with respect to shares of the ranges."""
    information = jacobian.T @ jacobian / max(variance, LEAST_VARIANCE)
    strengths, directions = np.linalg.eigh(information)
    deviations = 1 / np.sqrt(np.maximum(strengths, 1e-300))
    weak = directions[:, deviations > UNKNOWN]
    covariance = directions @ np.diag(np.minimum(deviations, 1e6) ** 2) @ directions.T
    made = []
    for place, parameter in enumerate(parameters):
        mixed = [
            axis for axis in weak.T if abs(axis[place]) > MIXED
        ]  # the directions that leave this parameter open
        others = {
            parameters[i].place
            for axis in mixed
            for i in range(len(parameters))
            if i != place and abs(axis[i]) > MIXED
        }
        share = float(found[place])
        made.append(
            Fitted(
                parameter,
                parameter.low + share * parameter.width,
                min(math.sqrt(float(covariance[place, place])), 1.0) * parameter.width,
                not mixed,
                tuple(sorted(others)),
                _is_at_bound(parameter, share) and not mixed,
            )
        )
    return tuple(made)


def _is_at_bound(parameter: Parameter, share: float) -> bool:
    is_least = parameter.is_delay and parameter.low == 0  # nothing is beyond it
    return share > 1 - AT_BOUND or (share < AT_BOUND and not is_least)
