"""Correlated noise: a share of the last value plus new noise, depending on the time between."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.engine.mathematics import power
from wbridge.wbcore.world.random_source import RandomSource


def correlation(per_second: float, elapsed: float) -> float:
    """Return the share of the noise (0 to 1) that remains after `elapsed` seconds.

    `per_second` is the field `noiseCorrelation`: 0 to 1.
    """
    if per_second <= 0 or elapsed == inf:
        return 0.0
    return float(power(min(per_second, 1.0), elapsed))


class Drift(_engine.Drift):
    """Numbers of mean 0 and standard deviation 1, each correlated with its predecessor.

    The engine continues the same numbers (see `_engine.Position`).
    """

    def restart(self, values: Sequence[float]) -> None:
        """Continue from given values."""
        self.values = list(values)

    def next(self, kept: float, random: RandomSource) -> list[float]:
        """Return new values; `kept` (0 to 1) is their correlation with the last ones."""
        # First-order Gauss-Markov noise, x' = k x + sqrt(1 - k^2) n: the deviation is 1 for every k.
        fresh = sqrt(1 - kept * kept)
        self.values = [kept * value + fresh * random.gaussian() for value in self.values]
        return self.values
