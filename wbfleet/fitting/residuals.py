"""Differences between the readings of a robot and its model, as a function of the model's parameters."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import as_completed

import numpy as np
from numpy.typing import NDArray

from wbridge.wbfleet.fitting.parameters import Parameter, with_values
from wbridge.wbfleet.fitting.replay import Pair, Replay
from wbridge.wbfleet.fitting.work import model_of
from wbridge.wbfleet.sweeps.sweep import Workers

STEP = 0.004
"""Share of the range by which parameters are varied for derivatives."""
FLOOR = 1e-5
"""Least residual of a sensor that counts, as a share of the spread of its readings."""
FAILED = 10.0
"""Residual of each reading if the replay fails, as a share of the spread."""
Vector = NDArray[np.float64]


class FitError(Exception):
    """The data cannot be fitted; the message says why."""


class Residuals:
    """Differences between readings, as a function of the shares of parameters in their ranges."""

    def __init__(
        self,
        replay: Replay,
        pairs: Sequence[Pair],
        parameters: Sequence[Parameter],
        workers: Workers,
        on_replays: Callable[[int], object],
    ) -> None:
        self._replay, self._parameters, self._workers = replay, parameters, workers
        self._tell, self.count = on_replays, 0
        self._real = [pair.real.ravel() for pair in pairs]
        self._known = [np.isfinite(values) for values in self._real]
        spreads = [_spread(pair) for pair in pairs]
        self._spreads = [
            np.full(len(values), spread) for values, spread in zip(self._real, spreads, strict=True)
        ]
        self._scales = self._spreads
        if not any(known.any() for known in self._known):
            raise FitError("the log has no reading to compare; enable sensors in the controller")

    def at(self, points: Sequence[Vector]) -> list[Vector]:
        """Return the residuals at some points."""
        replays = [with_values(self._replay, self._parameters, point) for point in points]
        begun = [self._workers.submit(replay) for replay in replays]
        for future in as_completed(begun):
            future.result()
            self.count += 1
            self._tell(1)
        return [self._of(future.result()) for future in begun]

    def one(self, point: Vector) -> Vector:
        """Return the residuals at a point."""
        return self.at([point])[0]

    def jacobian(self, point: Vector) -> Vector:
        """Return the derivatives of the residuals at a point, by differences to both sides."""
        sides = []
        for place in range(len(point)):
            for sign in (1, -1):
                moved = point.copy()
                moved[place] = np.clip(moved[place] + sign * STEP, 0.0, 1.0)
                sides.append(moved)
        found = self.at(sides)
        columns = [
            (found[2 * i] - found[2 * i + 1]) / (sides[2 * i][i] - sides[2 * i + 1][i])
            for i in range(len(point))
        ]
        return np.stack(columns, axis=1)

    def best(self, points: Sequence[Vector]) -> Vector:
        """Return the point with the smallest residuals.

        Raises:
            FitError: all replays fail.
        """
        found = self.at(points)
        sizes = [rms(residuals) for residuals in found]
        if min(sizes) >= FAILED:
            raise FitError("the model breaks with all values that were tried; choose smaller ranges")
        return points[int(np.argmin(sizes))]

    def weigh(self, point: Vector) -> None:
        """Let each sensor count by the size of its residuals at a point."""
        scales, at = [], 0
        residuals = self.one(point)
        for spread, known in zip(self._spreads, self._known, strict=True):
            count = int(known.sum())
            size = rms(residuals[at : at + count]) if count else 1.0
            scales.append(spread * max(size, FLOOR))
            at += count
        self._scales = scales

    def variance(self, residuals: Vector) -> float:
        """Return the variance of residuals; larger if neighbors are alike, as faults of a model make them."""
        factor, at = 1.0, 0
        for known in self._known:
            own = residuals[at : at + int(known.sum())]
            at += len(own)
            if len(own) > 2 and own.any():
                alike = float(np.dot(own[1:], own[:-1]) / np.dot(own, own))
                factor = max(factor, (1 + alike) / max(1 - alike, 1e-3))
        free = max(len(residuals) - len(self._parameters), 1)
        return float(np.dot(residuals, residuals)) / free * factor

    def spread_rms(self, residuals: Vector) -> float:
        """Return the root of the mean square of residuals, as shares of the sensors' spreads."""
        shares = [
            scale[known] / spread[known]
            for scale, spread, known in zip(self._scales, self._spreads, self._known, strict=True)
        ]
        return rms(residuals * np.concatenate(shares))

    def _of(self, result: dict[str, object]) -> Vector:
        if result["status"] != 0:
            return np.full(sum(int(known.sum()) for known in self._known), FAILED)
        parts = []
        for model, real, known, scale in zip(
            model_of(result), self._real, self._known, self._scales, strict=True
        ):
            gap = (model[known] - real[known]) / scale[known]
            parts.append(np.nan_to_num(gap, nan=0.0))
        return np.concatenate(parts)


def _spread(pair: Pair) -> float:
    known = pair.real[np.isfinite(pair.real)]
    if not len(known):
        return 1.0
    return float(known.std()) or float(np.abs(known).max()) or 1.0


def rms(residuals: Vector) -> float:
    """Return the root of the mean square."""
    return math.sqrt(float(np.mean(residuals**2))) if len(residuals) else 0.0
