"""Measure the throughput of a sweep, and check that it survives kills and a full disk with the same table.

    python -m scripts.measure_sweep [RUNS]

Simulates the sample `epuck_arena.wbt` for 10 s, RUNS (10,000) times with different seeds, on all processors.
Before, twice within, and after that sweep, one process makes some runs while the sweep is stopped, so that
both rates are those of the same minutes. Then the same sweep is disturbed: a worker, the process that hands
out the runs, and all processes at once are killed, and the disk is full. docs/scale.md has the results.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from tests.fleet.small_disk import mount

ROOT = Path(__file__).resolve().parents[1]
WORLD = ROOT / "worlds" / "epuck_arena.wbt"
RUNS, SINGLE_RUNS, DURATION_S = 10_000, 100, 10
LOOK_S, LOOK_PER_RESULT_S = 0.1, 1e-4
"""Intervals at which the results are counted; counting must not slow the sweep down."""
PAUSES = (1 / 3, 2 / 3)
"""Shares of the sweep after which it is stopped, to measure one process."""
LEAST_SHARE = 0.9
DISK_SIZE = 64 << 20
"""Bytes of the file system that becomes full."""
METRIC = "way=travel(E_PUCK)"
SINGLE = f"""
import time
from wbridge.wbfleet.sweeps.job import Job, simulate
from wbridge.wbfleet.sweeps.metrics import parse
job = Job({str(WORLD)!r}, {{}}, None, {DURATION_S}, {{}}, True, None, False, (parse({METRIC!r}),))
simulate(job)
start = time.perf_counter()
for seed in range({SINGLE_RUNS}):
    simulate(job._replace(seed=seed))
print("took", time.perf_counter() - start)
"""


def single_s() -> float:
    """Return the seconds that one process takes for SINGLE_RUNS runs, without a sweep."""
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
    with subprocess.Popen(command(store, runs, jobs), cwd=ROOT, stdout=subprocess.DEVNULL) as sweep:
        yield sweep
        sweep.wait()


def wait_until(store: Path, count: int) -> None:
    """Wait until this many results are stored."""
    while len(stored(store)) < count:
        time.sleep(max(LOOK_S, LOOK_PER_RESULT_S * count))


def workers(sweep: int) -> list[int]:
    """Return the worker processes of a sweep."""
    tasks = Path(f"/proc/{sweep}/task").iterdir()
    return [int(one) for task in tasks for one in (task / "children").read_text().split()]


def processor_s(process: int) -> float:
    """Return the processor time of a process without its children (s)."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def undisturbed(store: Path, runs: int, jobs: int) -> bool:
    """Carry out the sweep; return whether its throughput is high enough."""
    singles = [single_s()]
    start, own_s = time.perf_counter(), 0.0
    with running(store, runs, jobs) as sweep:
        for share in PAUSES:
            wait_until(store, round(share * runs))
            every = [sweep.pid, *workers(sweep.pid)]
            stop = time.perf_counter()
            send(signal.SIGSTOP, every)
            singles.append(single_s())
            send(signal.SIGCONT, every)
            start += time.perf_counter() - stop
        wait_until(store, runs - jobs)
        own_s = processor_s(sweep.pid)
    rate = runs / (time.perf_counter() - start)
    singles.append(single_s())
    single = SINGLE_RUNS * len(singles) / sum(singles)
    print("one process: " + ", ".join(f"{SINGLE_RUNS / one:.2f}" for one in singles) + " runs/s")
    print(f"handing out and storing: {1000 * own_s / runs:.2f} ms of processor time per run")
    share = rate / single / jobs
    text = f"sweep of {runs} runs on {jobs} processors: {rate:.2f} runs/s, {share:.3f} of {jobs} times one"
    return verdict(f"{text} (at least {LEAST_SHARE})", share >= LEAST_SHARE)


def disturbed(store: Path, runs: int, jobs: int, can_fill: bool) -> bool:
    """Carry out the sweep with kills and, if its disk can be filled, a full disk; return if all went well."""
    with running(store, runs, jobs) as sweep:
        wait_until(store, runs // 5)
        send(signal.SIGKILL, workers(sweep.pid)[:1])
        wait_until(store, 2 * runs // 5)
        sweep.kill()
    with running(store, runs, jobs) as sweep:
        wait_until(store, 3 * runs // 5)
        send(signal.SIGKILL, [*workers(sweep.pid), sweep.pid])
    is_told = not can_fill or filled(store, runs, jobs)
    with running(store, runs, jobs) as sweep:
        pass
    return (
        verdict("after the last disturbance the sweep ends with exit code 0", sweep.returncode == 0) & is_told
    )


def filled(store: Path, runs: int, jobs: int) -> bool:
    """Carry out the sweep until its disk is full, and empty the disk; return if the sweep has failed."""
    filler = store.with_name("filler")
    with running(store, runs, jobs) as sweep:
        wait_until(store, 4 * runs // 5)
        with suppress(OSError), filler.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(1 << 12))
    filler.unlink()
    return verdict("on a full disk the sweep ends with exit code 1", sweep.returncode == 1)


def send(number: int, processes: Sequence[int]) -> None:
    """Send a signal to processes."""
    for one in processes:
        os.kill(one, number)


def verdict(text: str, is_met: bool) -> bool:
    """Print a line; return whether it is met."""
    print(f"{text}: {'met' if is_met else 'MISSED'}", flush=True)
    return is_met


def main() -> int:
    """Measure, and print what was found; 1 if a promise is broken."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    jobs = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as disk:
        can_fill = True
        try:
            mount(disk, DISK_SIZE)
        except OSError as problem:
            can_fill = False
            print(f"full disk: not checked, this system allows no file systems to be mounted: {problem}")
        stores = Path(name) / "undisturbed.sweep", Path(disk) / "disturbed.sweep"
        start = time.perf_counter()
        found = [undisturbed(stores[0], runs, jobs), disturbed(stores[1], runs, jobs, can_fill)]
        numbers = stored(stores[1])
        tables = [one.with_suffix(".csv").read_bytes() for one in stores]
        text = f"{len(numbers)} results with kills and a full disk, nothing lost or double"
        found.append(verdict(text, sorted(numbers) == list(range(runs))))
        found.append(verdict("the same table, bit for bit", tables[0] == tables[1]))
        print(f"took {(time.perf_counter() - start) / 60:.1f} min")
        if can_fill:
            subprocess.run(["umount", disk], check=True)
    return 0 if all(found) else 1


if __name__ == "__main__":
    sys.exit(main())
