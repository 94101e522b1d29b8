"""Where a model and its robot part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from wbridge.wbfleet.fitting.replay import Pair


class Difference(NamedTuple):
    """How far the readings of a sensor are from those of its model."""

    name: str
    """DEVICE.CHANNEL."""
    readings: int
    """Number of readings that both have."""
    range: float
    """Largest minus smallest reading of the robot."""
    rms: float
    """Root of the mean square of all differences."""
    max: float
    """Largest difference."""
    step: int | None
    """First step of the controller with a difference above the tolerance; None: there is none."""
    time: float | None
    """Its end (s)."""


def differences(pairs: Sequence[Pair], tolerance: float) -> list[Difference]:
    """Compare readings.

    Args:
        pairs: of the sensors.
        tolerance: what counts as a difference, as a share of the range of a sensor's readings.
    """
    return [_difference(pair, tolerance) for pair in pairs]


def _difference(pair: Pair, tolerance: float) -> Difference:
    known = np.isfinite(pair.model).all(axis=1) & np.isfinite(pair.real).all(axis=1)
    real, model = pair.real[known], pair.model[known]
    if not len(real):
        return Difference(pair.name, 0, 0.0, 0.0, 0.0, None, None)
    gaps = np.abs(real - model).max(axis=1)
    width = float((real.max(axis=0) - real.min(axis=0)).max())
    limit = tolerance * (width or float(np.abs(real).max()))
    above = np.flatnonzero(gaps > limit)
    at = np.flatnonzero(known)[above[0]] if len(above) else None
    return Difference(
        pair.name,
        len(real),
        width,
        float(np.sqrt(np.mean((real - model) ** 2))),
        float(gaps.max()),
        None if at is None else int(pair.steps[at]),
        None if at is None else float(pair.times[at]),
    )
