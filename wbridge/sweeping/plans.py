"""From what the user varies and measures to the plan of a sweep."""

from __future__ import annotations

from collections.abc import Sequence

from wbridge.failures import InputError
from wbridge.hal.installation import extra_command
from wbridge.wbcore.scene.load import World
from wbridge.wbfleet.sweeps import metrics, variations
from wbridge.wbfleet.sweeps.job import Job
from wbridge.wbfleet.sweeps.sweep import Plan


def make_plan(
    world: World,
    base: Job,
    vary: Sequence[str],
    measured: Sequence[str],
    sampling: str | None = None,
    runs: int | None = None,
    sampling_seed: int = 0,
) -> Plan:
    """Return the plan of a sweep.

    Args:
        world: loaded, to check places.
        base: what all runs have in common, without metrics.
        vary: PLACE=VALUES, as `wbridge sweep --vary`.
        measured: NAME=PLACE, as `wbridge sweep --metric`.
        sampling: how to choose values; None: a grid if possible.
        runs: number of runs, unless they form a grid.
        sampling_seed: of the sampling.

    Raises:
        InputError: a place or value is invalid, or a package is missing.
    """
    try:
        varied = [variations.parse(text, world) for text in vary]
        named = [metrics.parse(text) for text in measured]
        metrics.check(named, world)
        method = sampling or variations.choose(varied)
        values = variations.values_of_runs(varied, method, runs, sampling_seed)
    except (variations.VariationError, metrics.MetricError) as problem:
        raise InputError(str(problem)) from None
    except ImportError:
        hint = f"install it with: {extra_command('fleet')}, or use --sampling random"
        raise InputError(f"--sampling {method} needs SciPy, which is not installed; {hint}") from None
    if not values:
        raise InputError("there are no runs; --runs must be 1 or more")
    return Plan(base._replace(metrics=tuple(named)), values)
