"""`wbridge sweep` and `wbridge run --set`."""

from __future__ import annotations

import csv
import json
import shlex
from pathlib import Path

import pytest

from tests.fleet.worlds import write, write_controller
from wbridge.main import main

VARIED = ["--vary", "BALL.translation[2]=1..3/3", "--metric", "z=BALL.translation[2]", "--duration", "0.1"]


@pytest.fixture(autouse=True)
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A world in the current folder."""
    monkeypatch.chdir(tmp_path)
    return write(tmp_path)


def test_a_sweep_prints_extremes_and_how_to_repeat_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", "worlds/ball.wbt", *VARIED, "--csv", "a.csv", "--jobs", "1"]) == 0
    printed = capsys.readouterr().out
    assert "3 runs; results in worlds/ball.sweep" in printed
    with open("a.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["BALL.translation[2]"] for row in rows] == ["1.0", "2.0", "3.0"]
    command = next(line for line in printed.splitlines() if line.startswith("repeat run 2: "))
    words = shlex.split(command.removeprefix("repeat run 2: wbridge "))
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hash"] == rows[2]["hash"]


def test_a_finished_sweep_only_reports(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["sweep", "worlds/ball.wbt", *VARIED, "--jobs", "1", "--json"]
    assert main(arguments) == 0
    first = json.loads(capsys.readouterr().out)
    assert main(arguments) == 0
    assert json.loads(capsys.readouterr().out) == first
    assert first["metrics"]["z"]["max_run"] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--vary", "BALL.translatio[2]=1,2"], "did you mean 'translation'"),
        (["--vary", "seed=1,2", "--metric", "z=BALL.translation"], "is not a number; choose a component"),
        (["--vary", "seed=1,2", "--metric", "status=BALL.translation[0]"], "a column of every table"),
        (["--vary", "seed=1,2", "--metric", "z=most(BALL.translation[0])"], "is not one of final, min, max"),
        (["--vary", "WorldInfo.gravity=1..2"], "--runs N"),
        (["--vary", "seed=1,2", "--set", "BALL.mass=1"], 'no field "mass"'),
        (["--vary", "link.delay=1ms..2ms"], "link.latency, link.jitter, link.loss"),
        (["--vary", "link.latency=1..2km"], "such as 20ms"),
        (["--vary", "seed=1,2", "--set", "link.loss=2"], "a fraction from 0 to 0.99"),
        (["--vary", "seed=1,2", "--on", "10.0.0.1"], "expected dask://HOST:PORT"),
    ],
)
def test_wrong_arguments(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", "worlds/ball.wbt", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_run_sets_fields(capsys: pytest.CaptureFixture[str]) -> None:
    hashes = []
    for height in ("1", "2"):
        place = f"BALL.translation=0 0 {height}"
        assert main(["run", "worlds/ball.wbt", "--steps", "2", "--json", "--set", place]) == 0
        hashes.append(json.loads(capsys.readouterr().out)["hash"])
    assert main(["run", "worlds/ball.wbt", "--steps", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hash"] == hashes[0] != hashes[1]


COUNTS = """
from controller import Robot
robot = Robot()
eye = robot.getDevice("eye")
eye.enable(10)
while robot.step(10) != -1:
    robot.setCustomData(str(int(robot.getCustomData()) + (eye.getValue() == eye.getValue())))
"""


def test_a_sweep_varies_the_link_and_its_runs_can_be_repeated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The later the link, the fewer steps with a reading; one command repeats a run."""
    write_controller(tmp_path, "counts", COUNTS)
    varied = ["--vary", "link.latency=0..40ms/3", "--set", "link.lose=0.3", "--seed", "4"]
    more = ["--controller", "counts", "--inline", "--duration", "0.2", "--metric", "x=BALL.translation[0]"]
    arguments = ["sweep", "worlds/ball.wbt", *varied, *more, "--csv", "a.csv", "--jobs", "1"]
    assert main(arguments) == 0
    printed = capsys.readouterr().out
    with open("a.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["link.latency"] for row in rows] == ["0.0", "0.02", "0.04"]
    command = next(line for line in printed.splitlines() if line.startswith("repeat run "))
    number, _, words = command.removeprefix("repeat run ").partition(": wbridge ")
    assert "link.latency" in words and "link.lose" in words
    assert main([*shlex.split(words), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hash"] == rows[int(number)]["hash"]


def test_a_link_needs_controllers(capsys: pytest.CaptureFixture[str]) -> None:
    run = ["run", "worlds/ball.wbt", "--no-controllers", "--set", "link.latency=20ms"]
    assert main(run) == 2
    assert "leave out --no-controllers" in capsys.readouterr().err
