"""Sweeps survive whatever ends a process, and their tables do not depend on it."""

from __future__ import annotations

import io
import os
import signal
import sqlite3
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.fleet.worlds import write, write_controller
from wbridge.wbfleet.sweeps.crew import ATTEMPTS, Crew
from wbridge.wbfleet.sweeps.job import Job, simulate
from wbridge.wbfleet.sweeps.metrics import Metric
from wbridge.wbfleet.sweeps.store import Row, Store, StoreError
from wbridge.wbfleet.sweeps.sweep import Plan, carry_out, write_csv

GRAVITIES = ("1.0", "2.0", "3.0", "4.0", "5.0", "6.0")
FELL = Metric("z", "final", "BALL.translation[2]")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a world, in which controllers can be written."""
    write(tmp_path)
    return tmp_path


def plan_for(project: Path, **changes: Any) -> Plan:
    """Runs under different gravities, 0.2 s long."""
    job = Job(str(project / "worlds" / "ball.wbt"), {}, None, 0.2, {}, False, None, False, (FELL,))
    return Plan(job._replace(**changes), [{"WorldInfo.gravity": one} for one in GRAVITIES])


def table(store: Store, plan: Plan) -> str:
    text = io.StringIO()
    write_csv(store.rows(), plan, text)
    return text.getvalue()


class Here:
    """Carries out runs in this process, and stops after some."""

    def __init__(self, most: int = 100) -> None:
        self.size = 1
        self.numbers: list[str] = []
        self._most = most

    def submit(self, job: Job) -> Future[dict[str, Any]]:
        made: Future[dict[str, Any]] = Future()
        if len(self.numbers) == self._most:
            raise KeyboardInterrupt
        self.numbers.append(job.fields["WorldInfo.gravity"])
        made.set_result(simulate(job))
        return made

    def __enter__(self) -> Here:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to end."""


@pytest.fixture
def reference(project: Path, tmp_path: Path) -> str:
    """The table of an undisturbed sweep."""
    plan = plan_for(project)
    with Store(tmp_path / "undisturbed.sweep") as store:
        carry_out(plan, store, Here())
        return table(store, plan)


def test_a_ball_falls_as_gravity_says(project: Path) -> None:
    """Judge: free fall, z = 1 - g t^2 / 2, with the half step of semi-implicit Euler."""
    plan = plan_for(project)
    for number, gravity in enumerate(GRAVITIES):
        found = simulate(plan.job(number))["metrics"]["z"]
        steps = 20
        assert found == pytest.approx(1 - float(gravity) * 0.01**2 * steps * (steps + 1) / 2, abs=1e-9)


def test_an_interrupted_sweep_continues_with_the_same_table(
    project: Path, tmp_path: Path, reference: str
) -> None:
    plan = plan_for(project)
    first, second = Here(3), Here()
    with Store(tmp_path / "a.sweep") as store, pytest.raises(KeyboardInterrupt):
        carry_out(plan, store, first)
    with Store(tmp_path / "a.sweep") as store:
        carry_out(plan, store, second)
        assert table(store, plan) == reference
    stored_first = len(GRAVITIES) - len(second.numbers)
    assert 0 < stored_first <= 3 and second.numbers == list(GRAVITIES[stored_first:])


def test_processes_that_are_killed_are_replaced(project: Path, tmp_path: Path, reference: str) -> None:
    plan = plan_for(project)
    with Store(tmp_path / "a.sweep") as store, Crew(2) as crew:
        kills = iter(range(ATTEMPTS - 1))  # one more could hit the same run each time

        def kill(_: int) -> None:
            if next(kills, None) is not None:
                for one in list(crew.processes):
                    with suppress(ProcessLookupError):  # it has ended since
                        os.kill(one, signal.SIGKILL)

        carry_out(plan, store, crew, kill)
        assert table(store, plan) == reference


@pytest.fixture
def crash(project: Path) -> None:
    """A controller that ends the simulator's process, if it runs inside of it."""
    text = "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n"
    write_controller(project, "crash", text)


@pytest.fixture
def hang(project: Path) -> None:
    """A controller that never makes a step."""
    write_controller(project, "hang", "from controller import Robot\nRobot()\nwhile True:\n    pass\n")


@pytest.mark.usefixtures("crash")
def test_a_run_that_always_kills_its_process_is_a_failed_run(project: Path, tmp_path: Path) -> None:
    plan = plan_for(project, controllers={"": "crash"}, inline=True)
    plan = plan._replace(values=plan.values[:1])
    with Store(tmp_path / "a.sweep") as store, Crew(1) as crew:
        carry_out(plan, store, crew)
        (row,) = store.rows()
    assert row.result["status"] == 1
    assert row.result["reason"] == "the simulator ended by signal 9 (SIGKILL), 3 times"


@pytest.mark.usefixtures("hang")
def test_a_run_that_hangs_is_stopped(project: Path, tmp_path: Path) -> None:
    plan = plan_for(project, controllers={"": "hang"}, inline=True)
    plan = plan._replace(values=plan.values[:1])
    with Store(tmp_path / "a.sweep") as store, Crew(1, longest_s=3) as crew:
        carry_out(plan, store, crew)
        (row,) = store.rows()
    assert row.result["reason"] == "took more than 3 s and was stopped"


def test_a_failed_controller_is_a_failed_run(project: Path) -> None:
    write_controller(project, "bad", "raise SystemExit(3)\n")
    found = simulate(plan_for(project, controllers={"": "bad"}).job(0))
    assert (found["status"], found["reason"]) == (
        1,
        'controller "bad" of robot "counter" ended with exit code 3',
    )


def rows(count: int) -> Iterator[Row]:
    return (Row(i, {"seed": str(i)}, {"status": 0}) for i in range(count))


def test_a_result_is_stored_once(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sweep") as store:
        store.add(rows(3))
        store.add([Row(1, {"seed": "other"}, {"status": 1})])
        assert [one.fields["seed"] for one in store.rows()] == ["0", "1", "2"]


def test_results_of_another_sweep_are_not_mixed(project: Path, tmp_path: Path) -> None:
    plan = plan_for(project)
    with Store(tmp_path / "a.sweep") as store:
        store.claim(plan.identity())
        store.claim(plan.identity())
        with pytest.raises(StoreError, match="another sweep .duration_s: 0.2 there, 0.3 now."):
            store.claim(plan_for(project, duration_s=0.3).identity())
        write(project, (project / "worlds" / "ball.wbt").read_text() + "# changed\n")
        with pytest.raises(StoreError, match="world_content"):
            store.claim(plan.identity())


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    """SQLite's limit of pages fails as a full disk does."""
    with Store(tmp_path / "a.sweep") as store:
        store.add(rows(10))
        store.limit_pages(8)
        with pytest.raises(
            StoreError, match="full; those stored before are kept, and the same command continues"
        ):
            store.add(Row(i, {"seed": "x" * 1000}, {}) for i in range(10, 1000))
    with Store(tmp_path / "a.sweep") as store:
        assert store.done() == set(range(10))


def test_other_files_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "a.sweep"
    other.write_text("no database " * 100)
    with pytest.raises(StoreError, match="use another file"):
        Store(other)
    assert other.read_text().startswith("no database")
    with pytest.raises(StoreError, match="cannot be used"):
        Store(tmp_path / "absent" / "a.sweep")


def test_the_file_is_an_ordinary_database(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sweep") as store:
        store.add(rows(2))
    with sqlite3.connect(tmp_path / "a.sweep") as base:
        assert base.execute("SELECT count(*) FROM runs").fetchone() == (2,)
