"""`wbridge run --isolate`: whatever ends the process of the simulation, one message says where, and the
recording stays."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import CHECKOUT
from tests.physics_plugins.projects import complete, project

IN_STEP_3 = "static int steps;\nvoid webots_physics_step() { if (++steps == 4) { %s } }"
THREAD = """
#include <pthread.h>
static void *run(void *none) { *(volatile int *)0 = 1; return none; }
"""
OWN_THREAD = "pthread_t one; pthread_create(&one, 0, run, 0); pthread_join(one, 0);"
DEAF = """
#include <pthread.h>
#include <signal.h>
"""
BLOCKED = (
    "sigset_t all; sigfillset(&all); pthread_sigmask(SIG_BLOCK, &all, 0); for (volatile int on = 1; on;) {}"
)


def run(world: Path, *options: str, isolate: bool = True, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a world for 10 steps of 8 ms."""
    command = [sys.executable, "-m", "wbridge", "run", str(world), "--steps", "10", *options]
    command += ["--isolate"] if isolate else []
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT), **more}
    return subprocess.run(
        command, capture_output=True, text=True, timeout=100, check=False, cwd=world.parent, env=environment
    )


@pytest.mark.parametrize(
    ("head", "code", "said"),
    [
        (THREAD, OWN_THREAD, "crashed in step 3: Segmentation fault"),
        ("#include <unistd.h>\n", "_exit(0);", "ended the process in step 3, with exit code 0"),
        pytest.param(
            "#include <stdlib.h>\n",
            "exit(5);",
            "ended the process in step 3, with exit code 5",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "", "*(volatile int *)0 = 1;", "crashed in step 3: Segmentation fault", marks=pytest.mark.slow
        ),
    ],
)
def test_the_message_names_function_and_step(tmp_path: Path, head: str, code: str, said: str):
    done = run(project(tmp_path, complete(head + IN_STEP_3 % code)), "--record", "run.csv")
    assert done.returncode == 1
    lines = [one for one in done.stderr.splitlines() if "probe" in one and not one.startswith("building")]
    assert [one for one in lines if "steps of 8 ms" not in one and " warning" not in one] == [
        one for one in lines if f'physics plugin "probe": webots_physics_step {said}' in one
    ]
    assert done.stderr.count("wbridge: ") == 1
    with (tmp_path / "worlds" / "run.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [float(one["time"]) for one in rows] == pytest.approx([0, 0.008, 0.016, 0.024])
    assert all(None not in one.values() for one in rows)


@pytest.mark.parametrize("faulthandler", ["", pytest.param("1", marks=pytest.mark.slow)])
def test_without_isolation_a_crash_in_a_thread_is_one_line(tmp_path: Path, faulthandler: str):
    """Python's own report of the crash follows, if it was asked for."""
    world = project(tmp_path, complete(THREAD + IN_STEP_3 % OWN_THREAD))
    done = run(world, isolate=False, PYTHONFAULTHANDLER=faulthandler)
    said = (
        'error: physics plugin "probe": a thread of its own crashed during webots_physics_step in step 3: '
        "Segmentation fault"
    )
    assert done.returncode == -signal.SIGSEGV
    assert done.stderr.splitlines().count(said) == 1, done.stderr
    assert ("Fatal Python error: Segmentation fault" in done.stderr) == bool(faulthandler)


@pytest.mark.slow
def test_an_archive_is_whole_after_a_crash(tmp_path: Path):
    world = project(tmp_path, complete(THREAD + IN_STEP_3 % OWN_THREAD))
    done = run(world, "--record", "run.npz")
    assert "recorded until then: run.npz" in done.stderr
    with np.load(world.parent / "run.npz") as recorded:
        assert "time" in recorded
    assert sorted(one.name for one in world.parent.iterdir()) == ["probe.wbt", "run.npz"]


def test_a_plugin_that_lets_no_signal_in_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The limit of a call works by a signal; the parent needs none."""
    source = DEAF + "void webots_physics_init() { " + BLOCKED + " }"
    (tmp_path / "sitecustomize.py").write_text(
        "import wbridge.running.isolation as one\none.GRACE_S = 0.2\none.PAUSE_S = 0.2\n"
    )
    path = os.pathsep.join((str(tmp_path), str(CHECKOUT)))
    done = run(project(tmp_path, complete(source)), "--timeout", "0.3", PYTHONPATH=path)
    assert done.returncode == 1
    assert 'physics plugin "probe": webots_physics_init did not return within 0.3 s, in step 0' in done.stderr


@pytest.mark.slow
def test_a_crash_outside_of_the_plugin_names_its_last_call(tmp_path: Path):
    """As when it has damaged the simulator's memory: here its thread crashes some time later."""
    source = """
    #include <pthread.h>
    #include <unistd.h>
    static int steps;
    static volatile int may_crash;
    static void *run(void *none) { while (!may_crash) usleep(100); *(volatile int *)0 = 1; return none; }
    void webots_physics_init() { pthread_t one; pthread_create(&one, 0, run, 0); }
    void webots_physics_step() { if (++steps == 3) may_crash = 1; }
    void webots_physics_cleanup() { }
    """
    world = project(tmp_path, complete(source))
    command = [sys.executable, "-m", "wbridge", "run", str(world), "--duration", "60", "--mode", "realtime"]
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    done = subprocess.run(
        [*command, "--isolate"], capture_output=True, text=True, timeout=100, check=False, env=environment
    )
    assert done.returncode == 1
    assert "the simulation crashed: Segmentation fault" in done.stderr
    assert 'last call of physics plugin "probe": webots_physics_step in step ' in done.stderr


@pytest.mark.slow
def test_a_good_run_is_as_without(tmp_path: Path):
    world = project(tmp_path, complete(""))
    isolated = run(world, "--json")
    command = [sys.executable, "-m", "wbridge", "run", str(world), "--steps", "10", "--json"]
    plain = subprocess.run(
        command, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": str(CHECKOUT)}
    )
    assert isolated.returncode == 0
    hashes = [next(line for line in one.stdout.splitlines() if '"hash"' in line) for one in (isolated, plain)]
    assert hashes[0] == hashes[1]


@pytest.mark.slow
def test_a_signal_ends_the_run_in_order(tmp_path: Path):
    world = project(tmp_path, complete(""))
    command = [sys.executable, "-m", "wbridge", "run", str(world), "--duration", "600", "--mode", "realtime"]
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    with subprocess.Popen(
        [*command, "--isolate"], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as running:
        assert running.stderr is not None
        next(line for line in running.stderr if "steps of" in line)
        running.send_signal(signal.SIGTERM)
        assert running.wait(60) in (0, 128 + signal.SIGTERM)
