"""Sweeps from a script: the engine of `wbridge sweep`, with its results as a table."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from wbridge.api import tables
from wbridge.api.fields import Value
from wbridge.failures import CommandError
from wbridge.sweeping.cluster import cluster
from wbridge.sweeping.plans import make_plan
from wbridge.sweeping.rate import Rate
from wbridge.wbcore.controllers.link_quality import split_link
from wbridge.wbcore.physics.errors import WorldError
from wbridge.wbcore.scene.checks import load_checked
from wbridge.wbcore.scene.load import LoadOptions, World
from wbridge.wbfleet.sweeps.crew import Crew
from wbridge.wbfleet.sweeps.job import Job
from wbridge.wbfleet.sweeps.store import Store
from wbridge.wbfleet.sweeps.sweep import COLUMNS, Plan, Workers, carry_out

__all__ = ["sweep"]

STORED = ".sweep"
"""The suffix of files that a sweep continues with."""


def sweep(
    world: str | Path,
    vary: Mapping[str, Value],
    measure: str | Sequence[str] | Mapping[str, str] = (),
    *,
    runs: int | None = None,
    duration: float = 10.0,
    seed: int | None = None,
    fields: Mapping[str, Value] | None = None,
    controllers: Mapping[str, str] | None = None,
    inline: bool = False,
    sampling: str | None = None,
    sampling_seed: int = 0,
    jobs: int | None = None,
    on: str | None = None,
    timeout: float | None = None,
    out: str | Path | None = None,
    form: str | None = None,
    progress: bool | None = None,
) -> tables.AnyTable:
    """Run a world many times with varied fields, controllers and seeds, on all processors or on a cluster.

    Args:
        world: a `.wbt` file.
        vary: for each place, or "seed": a list of values; a pair (low, high) for any number in between; or a
            text as for `wbridge sweep --vary`, such as "0..1/5".
        measure: numbers of each run, as for `wbridge sweep --metric`: {"way": "travel(E_PUCK)"}, or
            "way=travel(E_PUCK)", or a list of such texts.
        runs: number of runs, unless the values form a grid.
        duration: most simulated time of a run (s).
        seed: of all runs.
        fields: values of fields in all runs, by place.
        controllers: those that replace the world's, by robot name.
        inline: run controllers in Python inside of the simulators' processes.
        sampling: "grid", "random", "latin-hypercube" or "sobol"; None: a grid if possible.
        sampling_seed: of the sampling.
        jobs: number of processes; None: one for each processor.
        on: a Dask scheduler that runs it on a cluster: "dask://HOST:PORT".
        timeout: most real time of a run (s).
        out: a file for the table (.parquet, with pyarrow, or .csv), or for results with which the same call
            continues after an interruption (.sweep).
        form: of the table: "pandas", "arrow" or "table"; None: what is installed, in this order.
        progress: show it on standard error; None: if that is a terminal.

    Returns:
        a table with a row for each run: run, the varied values, status, reason, steps, time (s), hash, and
        the measured numbers, NaN if a run has failed.

    Raises:
        WorldError: the world has errors.
        ValueError: a place, value or name is invalid; the message says what is allowed.
        ImportError: the package of `form` or `sampling`, or for Parquet, is missing.
        StoreError: `out` belongs to another sweep, or cannot be written.
    """
    if form is not None and form not in tables.FORMS:
        raise ValueError(f"form must be None or one of {', '.join(tables.FORMS)}, not {form!r}")
    field_texts = {place: _text(value) for place, value in (fields or {}).items()}
    base = Job(
        world=os.path.abspath(world),
        fields=field_texts,
        seed=seed,
        duration_s=duration,
        controllers=dict(controllers or {}),
        inline=inline,
        timeout_s=timeout,
        allow_missing=False,
        metrics=(),
    )
    varied = [f"{place}={_values(value)}" for place, value in vary.items()]
    file = None if out is None else Path(out)
    try:
        plan = make_plan(_loaded(base), base, varied, _measured(measure), sampling, runs, sampling_seed)
        with _workers(jobs, on, timeout) as workers, _store(file) as store:
            store.claim(plan.identity())
            _run(plan, store, workers, sys.stderr.isatty() if progress is None else progress)
            columns = _columns(plan, store)
    except CommandError as problem:
        raise ValueError(str(problem).replace("--", "")) from None
    if file is not None and file.suffix != STORED:
        tables.write(columns, file)
    return tables.table_of(columns, form)


def _loaded(base: Job) -> World:
    plain, _ = split_link(base.fields)
    world = load_checked(base.world, LoadOptions(fields=plain))
    if world.report.errors:
        raise WorldError(world.path, world.report.errors)
    return world


def _text(value: Value) -> str:
    """Return a value as in a world file."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_):
        return "TRUE" if value else "FALSE"
    if isinstance(value, Iterable):
        return " ".join(_text(element) for element in value)
    return str(value.item() if isinstance(value, np.generic) else value)


def _values(value: Value) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, tuple) and len(value) == 2:
        low, high = value
        return f"{_text(low)}..{_text(high)}"
    if isinstance(value, Iterable):
        return ",".join(_text(element) for element in value)
    return _text(value)


def _measured(measure: str | Sequence[str] | Mapping[str, str]) -> list[str]:
    if isinstance(measure, str):
        return [measure]
    if isinstance(measure, Mapping):
        return [f"{name}={place}" for name, place in measure.items()]
    return list(measure)


@contextmanager
def _store(file: Path | None) -> Iterator[Store]:
    if file is not None and file.suffix == STORED:
        with Store(file) as store:
            yield store
        return
    with (
        tempfile.TemporaryDirectory(prefix="wbridge-sweep-") as folder,
        Store(Path(folder) / "runs") as store,
    ):
        yield store


def _workers(jobs: int | None, on: str | None, timeout: float | None) -> Workers:
    if on is None:
        return Crew(jobs, timeout)

    return cluster(on)


def _run(plan: Plan, store: Store, workers: Workers, is_shown: bool) -> None:
    with Rate(len(plan.values), len(store.done()), enabled=is_shown) as rate:
        carry_out(plan, store, workers, rate.add)


def _columns(plan: Plan, store: Store) -> tables.Columns:
    rows = list(store.rows())
    columns: dict[str, Sequence[object]] = {"run": [row.number for row in rows]}
    for place in plan.values[0]:
        columns[place] = _numbers([row.fields[place] for row in rows])
    for name in COLUMNS:
        columns[name] = [row.result[name] for row in rows]
    for metric in plan.base.metrics:
        columns[metric.name] = [row.result["metrics"].get(metric.name, float("nan")) for row in rows]
    return columns


def _numbers(texts: list[str]) -> Sequence[object]:
    """Return texts as numbers if all of them are."""
    for kind in (int, float):
        try:
            return [kind(text) for text in texts]
        except ValueError:
            continue
    return texts
