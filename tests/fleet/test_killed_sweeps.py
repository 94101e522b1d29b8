"""Sweeps whose processes are killed or whose disk is full, for real: the same command continues, and yields
the same table."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.fleet.small_disk import NOT_ALLOWED
from tests.fleet.worlds import write
from tests.waiting import wait_for

ROOT = Path(__file__).resolve().parents[2]
RUNS, DONE_BEFORE = 40, 4
VARIED = ("--vary", f"seed=1..{RUNS}", "--metric", "z=min(BALL.translation[2])", "--duration", "3")


def command(world: Path, name: str, folder: str = ".") -> list[str]:
    """Return the command of a sweep whose results are in a folder."""
    files = ["--out", f"{folder}/{name}.sweep", "--csv", f"{name}.csv"]
    return [sys.executable, "-m", "wbridge", "sweep", str(world), *VARIED, *files, "--jobs", "2"]


def finish(world: Path, name: str) -> str:
    """Carry out the command to its end; return the table."""
    subprocess.run(command(world, name), cwd=world.parent, check=True, timeout=120)
    return (world.parent / f"{name}.csv").read_text()


def results(path: Path) -> list[int]:
    """Numbers of the runs that are stored."""
    with suppress(sqlite3.OperationalError), closing(sqlite3.connect(path, timeout=10)) as base:
        return [number for (number,) in base.execute("SELECT number FROM runs")]
    return []


def children(process: int) -> list[int]:
    """Return the child processes of a process."""
    tasks = Path(f"/proc/{process}/task").iterdir()
    return [int(one) for task in tasks for one in (task / "children").read_text().split()]


@pytest.mark.slow
@pytest.mark.parametrize("victims", ["scheduler", "all"])
def test_a_killed_sweep_continues(tmp_path: Path, victims: str) -> None:
    """Without warning, as by a power cut: the process that hands out the runs, or all at once."""
    world = write(tmp_path)
    store = world.parent / "killed.sweep"
    with subprocess.Popen(command(world, "killed"), cwd=world.parent, start_new_session=True) as sweep:
        wait_for(lambda: len(results(store)) >= DONE_BEFORE)
        workers = children(sweep.pid)
        assert len(workers) == 2
        for one in [sweep.pid, *(workers if victims == "all" else ())]:
            os.kill(one, signal.SIGKILL)
        sweep.wait()
    kept = results(store)
    assert DONE_BEFORE <= len(kept) < RUNS and len(set(kept)) == len(kept)
    wait_for(lambda: not any(map(command_of, workers)))  # nobody is left behind
    table = finish(world, "killed")
    assert table == finish(world, "undisturbed")
    assert sorted(results(store)) == list(range(RUNS))


@pytest.mark.slow
def test_a_sweep_on_a_full_disk_continues(tmp_path: Path) -> None:
    """A file system of 2 MB, of which 120 KiB are free, and all of it when the sweep continues."""
    world = write(tmp_path)
    disk = tmp_path / "disk"
    disk.mkdir()
    small = [sys.executable, "-m", "tests.fleet.small_disk", str(disk), *command(world, "full", str(disk))]
    done = subprocess.run(
        small, cwd=world.parent, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    if done.returncode == NOT_ALLOWED:
        pytest.skip(f"this system allows no file systems to be mounted: {done.stdout.strip()}")
    assert done.returncode == 0, done.stderr
    first, second = json.loads(done.stdout)
    assert first["code"] == 1 and "disk is full; those stored before are kept" in first["said"]
    kept = re.search(r"(\d+) of 40 runs are done", second["said"])
    assert second["code"] == 0 and kept is not None and 0 < int(kept[1]) < RUNS, second["said"]
    assert (world.parent / "full.csv").read_text() == finish(world, "undisturbed")


def command_of(process: int) -> bytes:
    """Return the command line of a process; b"" if it has ended."""
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_bytes()
    return b""
