"""Sweeps on a Dask cluster: the same table as on one machine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.fleet.test_killed_sweeps import children, command_of, results
from tests.fleet.worlds import write
from tests.hal.link.broker import make_certificates
from tests.waiting import wait_for
from wbridge.failures import InputError, RunError
from wbridge.sweeping.cluster import cluster


class DaskCluster(NamedTuple):
    """A scheduler with workers, as `dask scheduler` and `dask worker` start them."""

    address: str
    nanny: int
    """The process that starts the workers, and replaces those that die."""

    @property
    def workers(self) -> list[int]:
        """The processes of the workers."""
        return [one for one in children(self.nanny) if b"spawn_main" in command_of(one)]


@pytest.fixture
def cluster_of_two(tmp_path: Path) -> Iterator[DaskCluster]:
    place = tmp_path / "scheduler.json"
    shared = ["--scheduler-file", str(place), "--no-dashboard"]
    with started("scheduler", "--host", "127.0.0.1", "--port", "0", *shared):
        wait_for(lambda: place.is_file() and place.stat().st_size)
        with started("worker", "--nworkers", "2", "--nthreads", "1", *shared) as nanny:
            yield DaskCluster(json.loads(place.read_text())["address"].replace("tcp://", "dask://"), nanny)


@contextmanager
def started(program: str, *arguments: str) -> Iterator[int]:
    """A program of Dask while the block runs; its process."""
    command = [sys.executable, "-m", f"distributed.cli.dask_{program}", *arguments]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet, start_new_session=True) as process:
        try:
            yield process.pid
        finally:
            os.killpg(process.pid, signal.SIGKILL)


def sweep(world: Path, name: str, *options: str) -> str:
    """Carry out a sweep by the command line; return its table."""
    varied = [
        "--vary",
        "seed=1..3",
        "--vary",
        "BALL.translation[2]=1..4/4",
        "--metric",
        "z=min(BALL.translation[2])",
    ]
    files = ["--out", f"{name}.sweep", "--csv", f"{name}.csv"]
    command = [sys.executable, "-m", "wbridge", "sweep", str(world), *varied, "--duration", "0.2", *files]
    done = subprocess.run([*command, *options], cwd=world.parent, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return (world.parent / f"{name}.csv").read_text()


def test_a_cluster_yields_the_same_table(tmp_path: Path, cluster_of_two: DaskCluster) -> None:
    world = write(tmp_path)
    assert sweep(world, "there", "--on", cluster_of_two.address) == sweep(world, "here", "--jobs", "1")


@pytest.mark.slow
def test_a_worker_of_a_cluster_that_is_killed_is_replaced(
    tmp_path: Path, cluster_of_two: DaskCluster
) -> None:
    world = write(tmp_path)
    store = world.parent / "there.sweep"
    command = [sys.executable, "-m", "wbridge", "sweep", str(world), "--vary", "seed=1..40", "--metric"]
    command += ["z=min(BALL.translation[2])", "--duration", "0.5", "--out", str(store), "--csv"]
    with subprocess.Popen([*command, "there.csv", "--on", cluster_of_two.address], cwd=tmp_path) as running:
        wait_for(lambda: len(results(store)) >= 4)
        before = cluster_of_two.workers
        assert len(before) == 2
        os.kill(before[0], signal.SIGKILL)
        wait_for(lambda: len(set(cluster_of_two.workers) - set(before)) == 1)
        assert running.wait(timeout=120) == 0
    here = [str(tmp_path / "here.sweep") if one == str(store) else one for one in command]
    subprocess.run([*here, "here.csv", "--jobs", "2"], cwd=tmp_path, check=True)
    assert (tmp_path / "there.csv").read_text() == (tmp_path / "here.csv").read_text()


@pytest.mark.parametrize(
    "address",
    [
        *(
            "localhost:8786",
            "tcp://h:1",
            "dask://h",
            "dask://:1",
            "dask://h:x",
            "dask://h:1/path",
            "dask://u@h:1",
        ),
        *("dask://h:1?ca=/none", "dask+tls://h:1?cb=x", "dask+tls://h", "dask+tls://h:1?ca", "dask://[h:1"),
    ],
)
def test_other_addresses_are_refused_with_the_forms_that_are_allowed(address: str) -> None:
    with pytest.raises(InputError, match="expected dask://HOST:PORT"):
        cluster(address)


def test_a_file_that_does_not_exist_is_named() -> None:
    with pytest.raises(InputError, match="key=/none: there is no such file"):
        cluster("dask+tls://h:1?key=/none")


def test_a_cluster_over_tls(tmp_path: Path) -> None:
    """Only clients with a certificate of the same authority come in."""
    make_certificates(tmp_path)
    tls = ["--protocol", "tls", "--tls-ca-file", f"{tmp_path}/ca.crt"]
    tls += ["--tls-cert", f"{tmp_path}/server.crt", "--tls-key", f"{tmp_path}/server.key"]
    place = tmp_path / "scheduler.json"
    shared = ["--scheduler-file", str(place), "--no-dashboard", *tls]
    with started("scheduler", "--host", "127.0.0.1", "--port", "0", *shared):
        wait_for(lambda: place.is_file() and place.stat().st_size)
        address = json.loads(place.read_text())["address"]
        assert address.startswith("tls://")
        with started("worker", "--nworkers", "1", "--nthreads", "1", *shared):
            files = f"?ca={tmp_path}/ca.crt&cert={tmp_path}/server.crt&key={tmp_path}/server.key"
            world = write(tmp_path)
            there = sweep(world, "there", "--on", address.replace("tls://", "dask+tls://") + files)
    assert there == sweep(world, "here", "--jobs", "1")


def test_wrong_addresses_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wbridge.sweeping.cluster.CONNECT_S", 0.2)
    with pytest.raises(RunError, match="does not answer"):
        cluster("dask://127.0.0.1:1")


def test_a_scheduler_without_workers_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wbridge.sweeping.cluster.CONNECT_S", 5)
    place = tmp_path / "scheduler.json"
    shared = ["--scheduler-file", str(place), "--no-dashboard"]
    with started("scheduler", "--host", "127.0.0.1", "--port", "0", *shared):
        wait_for(lambda: place.is_file() and place.stat().st_size)
        address = json.loads(place.read_text())["address"].removeprefix("tcp://")
        with pytest.raises(
            RunError, match=r"no workers yet \(waited 5 s\); start one with: dask worker tcp://"
        ):
            cluster(f"dask://{address}")
