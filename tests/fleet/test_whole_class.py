"""A class of 100 whose programs do all that programs can do wrong: the others get their points."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.fleet.bad_programs import BAD
from tests.fleet.learning_worlds import SPEED, cart, rail
from wbridge.main import main

DURATION = 0.4
START = f"""\
from controller import Robot
robot = Robot()
step = int(robot.getBasicTimeStep())
motor = robot.getDevice("drive")
motor.setPosition(float("inf"))
motor.setVelocity({SPEED})
"""
DRIVE = "while robot.step(step) != -1:\n    pass\n"
RUBRIC = f"""\
world = "worlds/ball.wbt"
duration = {DURATION}
timeout = 4
[limits]
cpu_s = 1
memory_mb = 512
file_mb = 1
processes = 16
[[criterion]]
name = "drives"
metric = "travel(ROBOT.CART)"
at_least = {0.9 * SPEED * DURATION}
points = 4
"""
SIZE, GOOD = 100, "good"


@pytest.mark.slow
def test_a_class_of_100_with_all_kinds_of_bad_programs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rail(tmp_path, cart())
    rubric, folder = tmp_path / "rubric.toml", tmp_path / "submissions"
    rubric.write_text(RUBRIC)
    folder.mkdir()
    solution = tmp_path / "solution.txt"
    solution.write_text("secret")
    kinds = [GOOD, *BAD]
    for number in range(SIZE):
        kind = kinds[number % len(kinds)]
        text = BAD.get(kind, DRIVE).format(root=str(tmp_path), pid=os.getpid(), solution=str(solution))
        (folder / f"{number:03d}_{kind}.py").write_text(START + text)
    before = {one: one.read_bytes() for one in sorted(tmp_path.rglob("*")) if one.is_file()}
    assert main(["grade", str(rubric), str(folder), "--json", "--jobs", "2"]) == 0
    said = capsys.readouterr()
    grades = json.loads(said.out)["grades"]
    points = {one["name"]: one["points"] for one in grades}
    notes = {one["name"]: " ".join(one["results"][0]["notes"]) for one in grades}
    assert len(points) == SIZE
    assert {name: points[name] for name in points if name.endswith(GOOD)} == {
        name: 4 for name in points if name.endswith(GOOD)
    }
    assert {name for name, given in points.items() if given} == {one for one in points if one.endswith(GOOD)}
    assert all(notes[name] for name in points if not name.endswith(GOOD)), notes
    assert "secret" not in said.out + said.err
    assert {one: one.read_bytes() for one in sorted(tmp_path.rglob("*")) if one.is_file()} == before
