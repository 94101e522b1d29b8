"""Measure the throughput of a sweep, and check that it survives kills with the same table.

    python -m scripts.measure_sweep [RUNS]

Simulates the sample `epuck_arena.wbt` for 10 s, RUNS (10,000) times with different seeds: first some runs in
one process that does nothing else, then a sweep on all processors, then the same sweep, in which a worker,
the process that hands out the runs, and all processes at once are killed. docs/scale.md has the results.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WORLD = ROOT / "worlds" / "epuck_arena.wbt"
RUNS, SINGLE_RUNS, DURATION_S, LOOK_S = 10_000, 200, 10, 0.1
METRIC = "way=travel(E_PUCK)"
SINGLE = f"""
import time
from wbfleet.sweeps.job import Job, simulate
from wbfleet.sweeps.metrics import parse
job = Job({str(WORLD)!r}, {{}}, None, {DURATION_S}, {{}}, True, None, False, (parse({METRIC!r}),))
simulate(job)
start = time.perf_counter()
for seed in range({SINGLE_RUNS}):
    simulate(job._replace(seed=seed))
print("rate", {SINGLE_RUNS} / (time.perf_counter() - start))
"""


def single_rate() -> float:
    """Return the runs per second of one process, without a sweep."""
    done = subprocess.run(
        [sys.executable, "-c", SINGLE], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return float(done.stdout.split()[-1])


def command(store: Path, runs: int, jobs: int) -> list[str]:
    """Return the command of the sweep."""
    varied = ["--vary", f"seed=1..{runs}", "--metric", METRIC, "--duration", str(DURATION_S)]
    files = ["--out", str(store), "--csv", str(store.with_suffix(".csv"))]
    return [
        *(sys.executable, "-m", "wbridge", "sweep", str(WORLD), *varied, *files),
        *("--inline", "--quiet", "--jobs", str(jobs)),
    ]


def stored(store: Path) -> list[int]:
    """Return the numbers of the runs whose results are stored."""
    with suppress(sqlite3.OperationalError), closing(sqlite3.connect(store, timeout=60)) as base:
        return [number for (number,) in base.execute("SELECT number FROM runs")]
    return []


@contextmanager
def running(store: Path, runs: int, jobs: int) -> Iterator[subprocess.Popen[bytes]]:
    """Start or continue the sweep."""
    with subprocess.Popen(command(store, runs, jobs), cwd=ROOT) as sweep:
        yield sweep
        sweep.wait()


def wait_until(store: Path, count: int) -> None:
    """Wait until this many results are stored."""
    while len(stored(store)) < count:
        time.sleep(LOOK_S)


def workers(sweep: int) -> list[int]:
    """Return the worker processes of a sweep."""
    tasks = Path(f"/proc/{sweep}/task").iterdir()
    return [int(one) for task in tasks for one in (task / "children").read_text().split()]


def disturbed(store: Path, runs: int, jobs: int) -> None:
    """Carry out the sweep with a kill of a worker, of the process that hands out runs, and of all."""
    with running(store, runs, jobs) as sweep:
        wait_until(store, runs // 5)
        os.kill(workers(sweep.pid)[0], signal.SIGKILL)
        wait_until(store, 2 * runs // 5)
        sweep.kill()
    with running(store, runs, jobs) as sweep:
        wait_until(store, 3 * runs // 5)
        for one in [*workers(sweep.pid), sweep.pid]:
            os.kill(one, signal.SIGKILL)
    with running(store, runs, jobs):
        pass


def main() -> int:
    """Measure, and print what was found; 1 if a promise is broken."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    jobs = len(os.sched_getaffinity(0))
    single = single_rate()
    print(f"one process without a sweep: {single:.2f} runs/s", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        start = time.perf_counter()
        with running(folder / "undisturbed.sweep", runs, jobs):
            pass
        rate = runs / (time.perf_counter() - start)
        share = rate / single / jobs
        print(
            f"sweep of {runs} runs on {jobs} processors: {rate:.2f} runs/s, {share:.3f} of {jobs} times one"
        )
        disturbed(folder / "disturbed.sweep", runs, jobs)
        numbers = stored(folder / "disturbed.sweep")
        is_complete = sorted(numbers) == list(range(runs))
        tables = [(folder / f"{one}.csv").read_bytes() for one in ("undisturbed", "disturbed")]
        is_same = tables[0] == tables[1]
    print(f"with kills: {len(numbers)} results, complete: {is_complete}, same table: {is_same}")
    return 0 if share >= 0.9 and is_complete and is_same else 1


if __name__ == "__main__":
    sys.exit(main())
