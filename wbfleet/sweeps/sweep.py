"""A sweep: plans runs, hands those without a result to workers, and stores each result."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TextIO

from wbridge.wbfleet.sweeps.job import Job
from wbridge.wbfleet.sweeps.store import Row, Store
from wbridge.wbfleet.sweeps.variations import SEED
from wbridge.wbfleet.sweeps.work import Work

__all__ = ["Plan", "Workers", "carry_out", "write_csv"]

WAITING_PER_WORKER = 2
"""Runs handed over in advance, so that no worker waits for the store."""
COLUMNS = ("status", "reason", "steps", "time", "hash")


class Workers(Protocol):
    """Whoever carries out runs: processes of this machine, or a cluster."""

    size: int

    def submit(self, work: Work) -> Future[dict[str, Any]]:
        """Carry out work; the future's result is that of `carry_out_work`."""

    def __enter__(self) -> Workers:
        """Workers end with the block."""

    def __exit__(self, *_: object) -> None:
        """End them."""


class Plan(NamedTuple):
    """All runs of a sweep."""

    base: Job
    """What all runs have in common."""
    values: Sequence[Mapping[str, str]]
    """The varied values of each run, by place."""

    def job(self, number: int) -> Job:
        """Return the job of a run."""
        values = dict(self.values[number])
        seed = values.pop(SEED, None)
        fields = {**self.base.fields, **values}
        return self.base._replace(fields=fields, seed=self.base.seed if seed is None else int(seed))

    def identity(self) -> dict[str, object]:
        """Return data that determines all results, to recognize the results of another sweep."""
        data = self.base._asdict()
        data["world_content"] = hashlib.sha256(Path(self.base.world).read_bytes()).hexdigest()
        return {**data, "values": [dict(value) for value in self.values]}


def carry_out(
    plan: Plan, store: Store, workers: Workers, on_done: Callable[[int], object] = lambda count: None
) -> None:
    """Carry out all runs that have no result yet.

    Args:
        plan: of the sweep.
        store: open; it must belong to this plan (see `Store.claim`).
        workers: carry out the runs, in any order.
        on_done: called with the number of new results after they were stored.

    Raises:
        StoreError: results cannot be written.
    """
    done = store.done()
    left = (number for number in range(len(plan.values)) if number not in done)
    running: dict[Future[dict[str, object]], int] = {}
    while True:
        for number in islice(left, WAITING_PER_WORKER * workers.size - len(running)):
            running[workers.submit(plan.job(number))] = number
        if not running:
            return
        ended, _ = wait(running, return_when=FIRST_COMPLETED)
        rows = [_row(plan, running.pop(future), future.result()) for future in ended]
        store.add(sorted(rows, key=lambda row: row.number))
        on_done(len(rows))


def _row(plan: Plan, number: int, result: dict[str, object]) -> Row:
    return Row(number, dict(plan.values[number]), result)


def write_csv(rows: Iterator[Row], plan: Plan, file: TextIO) -> None:
    """Write results as a table: number, varied values, result, and metrics (empty if a run has failed)."""
    places = list(plan.values[0])
    names = [metric.name for metric in plan.base.metrics]
    writer = csv.writer(file)
    writer.writerow(["run", *places, *COLUMNS, *names])
    for row in rows:
        own, result, metrics = row.fields, row.result, row.result["metrics"]
        cells = [own[place] for place in places] + [result[column] for column in COLUMNS]
        writer.writerow([row.number, *cells, *(metrics.get(name, "") for name in names)])
