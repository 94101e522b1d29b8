"""`wbridge run --profile` and `--trace`: the table, the JSON, the timeline, and their problems."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.controllers.project import LOOP, Project, robot, steps
from wbridge.main import main
from wbridge.wbcore.simulation import Simulation

ROW = re.compile(r"^(\S.*?)  +(?:([\d,.]+) +)?([\d,.]+) +([\d.]+) %(?: +[\d,]+)?$")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path)
    made.write(robot("a", "walk"), walk=steps(20))
    return made


def run(project: Project, *options: str) -> int:
    return main(["run", str(project.world), *options])


def table(out: str) -> dict[str, tuple[float, float, float]]:
    """Calls per step, microseconds per step and share of each row of the first table."""
    lines = out.partition("profile of ")[2].splitlines()
    found: dict[str, tuple[float, float, float]] = {}
    for line in lines[2:]:
        match = ROW.match(line)
        if match is None:
            return found
        calls, us, share = (float((one or "0").replace(",", "")) for one in match.groups()[1:])
        found[match[1]] = calls, us, share
    return found


def hash_of(out: str) -> str:
    found = re.search(r"state hash (\w+)", out)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("options", [["--inline"], [], ["--no-controllers", "--steps", "20"]])
def test_the_rows_of_the_table_add_up_to_its_total(
    project: Project, options: list[str], capsys: pytest.CaptureFixture[str]
):
    assert run(project, *options) == 0
    expected = hash_of(capsys.readouterr().out)
    assert run(project, *options, "--profile") == 0
    out = capsys.readouterr().out
    assert hash_of(out) == expected
    rows = table(out)
    _, total, share = rows.pop("total")
    assert share == 100
    # Each row is rounded to 0.1.
    assert sum(us for _, us, _ in rows.values()) == pytest.approx(total, abs=0.05 * (len(rows) + 1) + 0.01)
    assert sum(one for *_, one in rows.values()) == pytest.approx(100, abs=0.05 * len(rows) + 0.01)
    assert rows["engine"][0] == 1
    assert [us for _, us, _ in rows.values()] == sorted((us for _, us, _ in rows.values()), reverse=True)
    assert out.splitlines()[-1].endswith("inline controllers run without their fast path.")


def test_processes_have_a_table_of_their_own(project: Project, capsys: pytest.CaptureFixture[str]):
    run(project, "--profile")
    out = capsys.readouterr().out
    assert re.search(r"^controller processes, at the same time .*\na +[\d.]+ ", out, re.MULTILINE)
    assert "waiting for controllers" in table(out)


def test_recording_has_a_row(project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    run(project, "--inline", "--profile", "--record", str(tmp_path / "a.csv"))
    assert table(capsys.readouterr().out)["recording"][0] >= 1
    run(project, "--no-controllers", "--steps", "9", "--profile", "--record", str(tmp_path / "b.csv"))
    assert table(capsys.readouterr().out)["recording"][0] == 1


def test_windows_have_a_row(project: Project, capsys: pytest.CaptureFixture[str]):
    assert run(project, "--inline", "--profile", "--windows", "--steps", "20", "--mode", "fast") == 0
    assert table(capsys.readouterr().out)["windows"][0] >= 1


def test_json_contains_the_profile(project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "t.json"
    assert run(project, "--inline", "--json", "--trace", str(path)) == 0
    profile = json.loads(capsys.readouterr().out)["profile"]
    assert sum(one["seconds"] for one in profile["rows"]) == pytest.approx(profile["seconds"])
    assert {"engine", "controller: a", "rest"} <= {one["name"] for one in profile["rows"]}
    assert (profile["trace"], profile["trace_dropped"], profile["trace_problem"]) == (str(path), 0, None)
    run(project, "--inline", "--json")
    assert json.loads(capsys.readouterr().out)["profile"] is None


def test_a_trace_holds_the_spans_of_the_run(
    project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "t.json"
    assert run(project, "--inline", "--trace", str(path)) == 0
    out = capsys.readouterr().out
    assert out.endswith(f"trace for https://ui.perfetto.dev: {path}\n")
    events = json.loads(path.read_text("utf-8"))["traceEvents"]
    engine = [one for one in events if one["name"] == "engine"]
    assert len(engine) == int(re.search(r"profile of (\d+) steps", out)[1])  # type: ignore[index]
    assert all(one["ts"] >= 0 for one in engine)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("t.csv", "a trace must be a .json file, for example t.json"),
        ("absent/t.json", "folder absent does not exist"),
        ("folder.json", "it is a folder; name a file in it, for example folder.json/trace.json"),
    ],
)
def test_a_trace_that_cannot_be_written_is_reported_before_the_run(
    project: Project,
    name: str,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(project.folder)
    Path("folder.json").mkdir()
    assert run(project, "--trace", name) == 2
    out, err = capsys.readouterr()
    assert (out, f"cannot write a trace to {name}: {said}" in err) == ("", True)


def test_a_trace_that_fails_at_the_end_makes_the_exit_code_1(
    project: Project,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    def fail(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("wbridge.wbcore.profiling.trace.Trace.write", fail)
    path = tmp_path / "t.json"
    assert run(project, "--inline", "--trace", str(path)) == 1
    out, err = capsys.readouterr()
    assert f"error: cannot write the trace to {path}: No space left on device" in err
    assert "total" in table(out)


@pytest.mark.parametrize("options", [["--inline"], []])
def test_an_interrupted_run_prints_the_table_of_what_ran(tmp_path: Path, options: list[str]):
    project = Project(tmp_path)
    ready = LOOP.replace("    pass", "    print('on', flush=True)")
    project.write(robot("a", "walk"), walk=ready)
    command = [sys.executable, "-m", "wbridge", "run", str(project.world), "--profile", *options]
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        for _ in range(3):
            process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert table(out)["engine"][0] == pytest.approx(1, abs=0.5)


def test_interrupted_physics_print_the_table_of_what_ran(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    step = Simulation.step

    def interrupt(simulation: Simulation, count: int = 1) -> None:
        if simulation.steps == 5:
            raise KeyboardInterrupt
        step(simulation, count)

    monkeypatch.setattr(Simulation, "step", interrupt)
    assert run(project, "--no-controllers", "--profile") == 130
    assert "profile of 5 steps" in capsys.readouterr().out
