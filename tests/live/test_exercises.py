"""The exercises that come with the site: what a person reads, and the points.

Judges: `wbridge grade` with the same rubric for the points; solutions written for the tests, which drive the
robots as the text of each exercise asks.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.fleet import unprivileged
from tests.fleet.classroom import marks_of
from wbridge.live.archives import GRADING, exercises_of, write_grading
from wbridge.live.exercise import checked, described
from wbridge.live.packing import ENDING, open_packed
from wbridge.wbcore.scene.checks import load_checked
from wbridge.wbfleet.grading.rubric import RubricError

ROOT = Path(__file__).parents[2]
ALONG_WALL = """
SPEED, AHEAD, WANTED = 4.0, 110, 130
while robot.step(step) != -1:
    values = [sensor.getValue() for sensor in sensors]
    if max(values[0], values[7], values[1]) > AHEAD:
        turn, forward = 2.0, 0.0
    else:
        error = max(-60.0, min(60.0, values[2] - WANTED))
        turn, forward = 0.012 * error, SPEED
    left.setVelocity(forward - turn)
    right.setVelocity(forward + turn)
"""
CARRYING = """
move_to(-0.3, -0.15, 0)
for motor, position in zip(motors, (-0.3, -0.15, -0.26), strict=True):
    motor.setPosition(position)
while robot.step(step) != -1 and magnet.getPresence() != 1:
    pass
magnet.lock()
robot.step(step)
low = sensors[2].getValue()
move_to(-0.3, -0.15, 0)
move_to(0.23, 0.2, 0)
move_to(0.23, 0.2, low + 0.012)
magnet.unlock()
robot.step(step)
move_to(0.23, 0.2, 0)
while robot.step(step) != -1:
    pass
"""


def _solved(exercise: str, begin: str, part: str) -> str:
    """The first program of an exercise with the part of a person, which replaces all from a line on."""
    first = program(ROOT / "exercises" / exercise).read_text()
    assert begin in first
    return first[: first.index(begin)] + part


def program(project: Path) -> Path:
    (file,) = (project / "controllers").glob("*_driver/*.py")
    return file


SOLUTIONS = {
    "follow_the_line": (ROOT / "controllers" / "line_follower" / "line_follower.py").read_text(),
    "follow_the_wall": _solved("follow_the_wall", "while robot.step", ALONG_WALL),
    "pick_and_place": _solved("pick_and_place", "# Moves above the box.", CARRYING),
}


@pytest.fixture
def crane(tmp_path: Path) -> Path:
    """The exercise with the shortest runs, to change."""
    return Path(shutil.copytree(ROOT / "exercises" / "pick_and_place", tmp_path / "crane"))


def points(project: Path) -> dict[str, Any]:
    return dict(json.loads(checked(project)))


def test_each_exercise_can_be_opened_and_has_a_solution() -> None:
    assert set(exercises_of(ROOT)) == set(SOLUTIONS)
    for name in SOLUTIONS:
        report = load_checked(ROOT / "exercises" / name / "worlds" / f"{name}.wbt").report
        assert not report.errors and not report.warnings
        text = json.loads(described(ROOT / "exercises" / name))
        steps = [step["name"] for step in text["steps"]]
        assert len(steps) == 3
        assert {criterion["step"] for criterion in text["criteria"]} == set(steps)
        assert sum(criterion["points"] for criterion in text["criteria"]) == text["points"] == 10


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name == "pick_and_place" else pytest.mark.slow) for name in SOLUTIONS],
)
def test_a_solution_gets_all_points_and_the_first_program_few(name: str, tmp_path: Path) -> None:
    project = tmp_path / name
    shutil.copytree(ROOT / "exercises" / name, project)
    first = points(project)
    assert first["points"] <= 4 and first["of"] == 10
    assert all(result["notes"] for result in first["results"] if result["points"] < result["of"])
    program(project).write_text(SOLUTIONS[name])
    assert points(project)["points"] == 10


def test_a_class_gets_the_same_points_from_the_command(crane: Path) -> None:
    unprivileged.needs_namespaces()
    half = SOLUTIONS["pick_and_place"].replace("magnet.unlock()", "pass")
    with unprivileged.folder_of_user() as folder:
        shutil.copytree(crane, folder / "exercise")
        submissions = folder / "submissions"
        submissions.mkdir()
        for name, text in (("ann", SOLUTIONS["pick_and_place"]), ("ben", half)):
            (submissions / f"{name}.py").write_text(text)
        unprivileged.give(folder)
        command = ["grade", str(folder / "exercise" / "rubric.toml"), str(submissions), "--json"]
        marks = marks_of(unprivileged.run(command, folder).stdout)
    program(crane).write_text(SOLUTIONS["pick_and_place"])
    assert points(crane)["points"] == marks["ann"].points == 10
    program(crane).write_text(half)
    assert points(crane)["points"] == pytest.approx(marks["ben"].points)
    assert 0 < marks["ben"].points < 10


def test_a_program_that_fails_gets_no_points_and_its_reason(crane: Path) -> None:
    program(crane).write_text("from controller import Robot\nrobot = Robot()\nrobot.getDevise('magnet')\n")
    got = points(crane)
    assert got["points"] == 0
    assert all("getDevise" in result["notes"][0] for result in got["results"])


def test_hidden_criteria_count_but_are_not_shown(crane: Path) -> None:
    rubric = crane / "rubric.toml"
    rubric.write_text(
        rubric.read_text().replace('name = "lifts the box"\n', 'name = "lifts the box"\nhidden = true\n')
    )
    assert "lifts the box" not in described(crane)
    got = points(crane)
    assert got["of"] == 10 and "lifts the box" not in [result["name"] for result in got["results"]]


def test_a_rubric_with_errors_names_all_of_them(crane: Path, tmp_path: Path) -> None:
    assert described(tmp_path) == ""
    rubric = crane / "rubric.toml"
    rubric.write_text(
        rubric.read_text().replace("duration = 20", "duration = -1").replace("points = 3", "pints = 3")
    )
    with pytest.raises(RubricError, match=r"(?s)duration.*pints.*did you mean 'points'"):
        described(crane)


def test_the_archive_has_all_that_grading_imports(tmp_path: Path) -> None:
    """In the page, other modules of wbfleet cannot be imported."""

    write_grading(ROOT, tmp_path)
    with open_packed((tmp_path / f"grading{ENDING}").read_bytes()) as archive:
        assert set(archive.namelist()) == {f"wbfleet/{name}" for name in GRADING}
        text = "".join(archive.read(name).decode() for name in archive.namelist())
    wanted = {line.split()[1] for line in text.splitlines() if line.startswith("from wbridge.wbfleet")}
    there = {
        f"wbridge/wbfleet/{name}".removesuffix("/__init__.py").removesuffix(".py").replace("/", ".")
        for name in GRADING
    }
    assert wanted <= there
