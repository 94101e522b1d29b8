"""What a sweep found: extremes of each metric, failed runs, and how to repeat a run."""

from __future__ import annotations

import json
import logging
import math
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wbridge.failures import RunError
from wbridge.hal.folders import replacement
from wbridge.text_table import columns
from wbridge.wbfleet.sweeps.store import Row, Store
from wbridge.wbfleet.sweeps.sweep import Plan, write_csv
from wbridge.words import amount, counted

_LOG = logging.getLogger("wbridge")
MOST_FAILED = 3
"""Failed runs in a message."""


def write_table(store: Store, plan: Plan, path: Path) -> None:
    """Write all results as CSV.

    Raises:
        RunError: the file cannot be written.
    """
    try:
        with replacement(path) as draft, draft.open("w", newline="", encoding="utf-8") as file:
            write_csv(store.rows(), plan, file)
    except OSError as problem:
        raise RunError(f"cannot write {path}: {problem.strerror}") from None


def report(store: Store, plan: Plan, out: Path, is_json: bool) -> int:
    """Print the summary; return the number of failed runs."""
    rows = list(store.rows())
    good = [row for row in rows if row.result["status"] == 0]
    failed = [row for row in rows if row.result["status"] != 0]
    found = [extremes(metric.name, good) for metric in plan.base.metrics]
    if is_json:
        data = {"runs": len(rows), "failed": [row.number for row in failed], "results": str(out)}
        json.dump({**data, "metrics": {row["name"]: row for row in found}}, sys.stdout, indent=2)
        print()
        return len(failed)
    if found and good:
        print("\n".join(_table(found)))
        print(f"repeat run {found[0]['max_run']}: {command(plan, found[0]['max_run'])}")
    for row in failed[:MOST_FAILED]:
        _LOG.warning(
            "run %d failed: %s\nrepeat: %s", row.number, row.result["reason"], command(plan, row.number)
        )
    summary = f"{len(good)} of {counted(len(rows), 'run')} succeeded" if failed else counted(len(rows), "run")
    print(f"{summary}; results in {out}")
    return len(failed)


def extremes(name: str, rows: Sequence[Row]) -> dict[str, Any]:
    """Return least, mean and greatest value of a metric, and in which runs; None without finite values."""
    values = [(row.result["metrics"][name], row.number) for row in rows]
    finite = [value for value in values if math.isfinite(value[0])]
    if not finite:
        return {"name": name, "min": None, "mean": None, "max": None, "min_run": None, "max_run": None}
    low, high = min(finite), max(finite, key=lambda value: (value[0], -value[1]))
    mean = math.fsum(value for value, _ in finite) / len(finite)
    return {"name": name, "min": low[0], "min_run": low[1], "mean": mean, "max": high[0], "max_run": high[1]}


def _table(found: Sequence[dict[str, Any]]) -> list[str]:
    head = ["metric", "min", "in run", "mean", "max", "in run"]
    names = ("min", "min_run", "mean", "max", "max_run")
    rows = [
        [row["name"], *("-" if row[name] is None else amount(row[name]) for name in names)] for row in found
    ]
    return columns([head, *rows], right=frozenset(range(1, len(head))))


def command(plan: Plan, number: int | None) -> str:
    """Return the command line that repeats a run."""
    if number is None:
        return "-"
    job = plan.job(number)
    words = [
        "wbridge",
        "run",
        os.path.relpath(job.world),
        "--duration",
        f"{job.duration_s:g}",
        "--synchronous",
    ]
    for place, value in job.fields.items():
        words += ["--set", f"{place}={value}"]
    for robot, name in job.controllers.items():
        words += ["--controller", f"{robot}={name}" if robot else name]
    words += ["--seed", str(job.seed)] if job.seed is not None else []
    words += ["--inline"] if job.inline else []
    words += ["--allow-missing"] if job.allow_missing else []
    return shlex.join(words)
