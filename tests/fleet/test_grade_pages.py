"""`wbridge grade`: partial credit, steps, hidden tests, pages of students, and hints at copied programs."""

from __future__ import annotations

import csv
import json
import math
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.fleet import unprivileged
from tests.fleet.bad_programs import BAD
from tests.fleet.learning_worlds import SPEED, cart, rail
from wbridge.wbfleet.grading.pages import allowed_output
from wbridge.wbfleet.grading.places import Places, folders_of
from wbridge.wbfleet.grading.points import Grade, Result
from wbridge.wbfleet.grading.rubric import Criterion, RubricError, read_rubric
from wbridge.wbfleet.grading.similarity import agreement, similar_pairs
from wbridge.wbfleet.sweeps.metrics import parse

DURATION = 0.4
SECRET = "what only the teacher knows"
RUBRIC = f"""\
world = "worlds/ball.wbt"
duration = {DURATION}
timeout = 60
seeds = [1]
hidden_seeds = [7]
text = "Drive to the <right>."
output = "all"
[limits]
cpu_s = 2
[[step]]
name = "Move"
text = "Set the velocity."
[[criterion]]
name = "drives"
text = "The cart moves."
step = "Move"
metric = "travel(ROBOT.CART)"
at_least = {0.9 * SPEED * DURATION}
partial_from = 0
points = 4
[[criterion]]
name = "secret limit"
hidden = true
metric = "max(ROBOT.CART.translation[0])"
at_most = 0.15
points = 2
"""
START = """\
from controller import Robot
robot = Robot()
step = int(robot.getBasicTimeStep())
motor = robot.getDevice("drive")
motor.setPosition(float("inf"))
"""
WAIT = "while robot.step(step) != -1:\n    pass\n"
PROGRAMS = {
    "ann": f"{START}motor.setVelocity({SPEED})\nprint('<b>off</b>')\n{WAIT}",
    "ann copied": f"# mine\n{START}speed = {SPEED}\nmotor.setVelocity(speed)\n"
    "while True:\n    if robot.step(step) == -1:\n        break\n",
    "half": f"{START}motor.setVelocity({SPEED / 2})\n{WAIT}",
    "none": "1 / 0\n",
}


def criterion(at_least: float, at_most: float, partial_from: float | None) -> Criterion:
    return Criterion("c", parse("m=travel(A)"), 1.0, at_least, at_most, partial_from)


@pytest.mark.parametrize(
    ("limits", "partial_from", "value", "credit"),
    [
        ((1, math.inf), None, 0.9, 0),
        ((1, math.inf), 0.2, 1.5, 1),
        ((1, math.inf), 0.2, 0.6, 0.5),
        ((1, math.inf), 0.2, 0.2, 0),
        ((1, math.inf), 0.2, -3, 0),
        ((-math.inf, 0.5), 0.9, 0.7, 0.5),
        ((-math.inf, 0.5), 0.9, 2, 0),
        ((-math.inf, 0.5), 0.9, -9, 1),
        ((1, 2), 0, 0.5, 0.5),
        ((1, 2), 0, 2.5, 0),
        ((1, 2), 3, 0.5, 0),
        ((1, math.inf), 0.2, math.nan, 0),
        ((-math.inf, 0.5), 0.9, math.inf, 0),
    ],
)
def test_points_grow_linearly_from_partial_from_to_the_nearer_limit(
    limits: tuple[float, float], partial_from: float | None, value: float, credit: float
):
    """The judge is the straight line through (partial_from, 0) and (limit, 1)."""
    assert criterion(*limits, partial_from).credit(value) == pytest.approx(credit)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (('step = "Move"', 'step = "Mvoe"'), "criterion 1: step: no step \"Mvoe\"; did you mean 'Move'?"),
        (
            ("partial_from = 0", "partial_from = 9"),
            "expected a value without full points, not 9",
        ),
        (("hidden = true", "hidden = 1"), "hidden: expected true or false, not 1"),
        (("hidden_seeds = [7]", "hidden_seeds = [1]"), "hidden_seeds: 1 is also in seeds"),
        (('output = "all"', 'output = "some"'), 'output: expected "none" or "errors" or "all", not'),
        (("[[criterion]]", '[[step]]\nname = "Move"\n[[criterion]]'), 'step "Move" is defined twice'),
        (('text = "Set', 'txet = "Set'), "step 1: unknown field \"txet\"; did you mean 'text'?"),
    ],
)
def test_mistakes_in_a_rubric_are_named(change: tuple[str, str], problem: str, tmp_path: Path):
    path = tmp_path / "rubric.toml"
    path.write_text(RUBRIC.replace(*change, 1))
    with pytest.raises(RubricError) as error:
        read_rubric(path)
    assert problem in str(error.value)


@pytest.fixture(scope="module")
def graded() -> Iterator[tuple[Path, dict[str, dict[str, object]], str]]:
    """The folder of a graded class, the grades by name, and what was reported on standard error."""
    unprivileged.needs_namespaces()
    with unprivileged.folder_of_user() as folder:
        rail(folder, cart())
        (folder / "rubric.toml").write_text(RUBRIC)
        (folder / "submissions").mkdir()
        for name, program in PROGRAMS.items():
            (folder / "submissions" / f"{name}.py").write_text(program)
        unprivileged.give(folder)
        reports = ["--json", "--pages", "pages", "--lms", "lms.csv", "--csv", "all.csv", "--jobs", "2"]
        done = unprivileged.run(["grade", "rubric.toml", "submissions", *reports], folder)
        assert done.returncode == 0, done.stderr.decode()
        data = json.loads(done.stdout)
        yield folder, data, done.stderr.decode()


def points(data: dict[str, list[dict[str, object]]]) -> dict[str, float]:
    return {str(one["name"]): float(str(one["points"])) for one in data["grades"]}


def test_partial_credit_counts(graded):
    """Half the speed covers half of the distance: 0.1 of 0.18 m, and the limit is met."""
    _, data, _ = graded
    got = points(data)
    assert got["half"] == pytest.approx(4 * 0.5 / 0.9 + 2, abs=0.1)
    assert (got["ann"], got["none"]) == (4, 0)


def test_copied_programs_are_hinted_at(graded):
    _, data, errors = graded
    assert [(one["first"], one["second"], one["share"]) for one in data["similar"]] == [
        ("ann", "ann copied", 1.0)
    ]
    assert "ann and ann copied: the robots are in the same place 100 % of the time" in errors


def test_a_student_sees_the_own_page_with_replay_and_output(graded):
    folder, _, _ = graded
    own = folder / "pages" / "students" / "ann"
    page = (own / "index.html").read_text()
    assert sorted(one.name for one in own.iterdir()) == ["index.html", "replay-1.html"]
    assert "Drive to the &lt;right&gt;." in page and "<h2>Move</h2>" in page and "Set the velocity." in page
    assert "4 of 6 points" in page and "&lt;b&gt;off&lt;/b&gt;" in page and "<b>off" not in page
    assert 'href="replay-1.html"' in page
    assert (own / "replay-1.html").stat().st_size > 100_000


def test_hidden_tests_stay_hidden(graded):
    folder, _, _ = graded
    pages = "".join(one.read_text() for one in (folder / "pages" / "students").rglob("index.html"))
    feedback = (folder / "lms.csv").read_text()
    for text in (pages, feedback):
        assert "secret limit" not in text and "0.15" not in text and "seed 7" not in text
        assert "hidden test" in text
    teacher = (folder / "pages" / "index.html").read_text()
    assert "secret limit" in teacher and "hidden run 7" in teacher
    assert (folder / "pages" / "teacher" / "ann" / "seed-7" / "replay.html").is_file()


def test_the_table_for_learning_platforms(graded):
    folder, data, _ = graded
    rows = list(csv.DictReader((folder / "lms.csv").read_text().splitlines()))
    assert [row["username"] for row in rows] == sorted(PROGRAMS)
    assert {row["username"]: float(row["grade"]) for row in rows} == pytest.approx(points(data), rel=1e-5)
    none = next(row for row in rows if row["username"] == "none")
    assert none["percent"] == "0.0" and "ZeroDivisionError" in none["feedback"]


def test_pages_replace_only_earlier_pages(graded):
    folder, _, _ = graded
    (folder / "mine").mkdir()
    (folder / "mine" / "index.html").write_text("mine")
    unprivileged.give(folder / "mine")
    command = ["grade", "rubric.toml", "submissions", "--only", "ann", "--pages"]
    refused = unprivileged.run([*command, "mine"], folder)
    assert refused.returncode == 2 and b"mine has other files" in refused.stderr
    assert (folder / "mine" / "index.html").read_text() == "mine"
    assert unprivileged.run([*command, "pages"], folder).returncode == 0
    assert [one.name for one in (folder / "pages" / "students").iterdir()] == ["ann"]


def test_programs_may_not_read_hidden_tests_and_pages(graded):
    folder, _, _ = graded
    (folder / "worlds" / "rubric.toml").write_text(RUBRIC.replace("worlds/ball.wbt", "ball.wbt"))
    for command in (["worlds/rubric.toml"], ["rubric.toml", "--pages", "worlds/pages"]):
        done = unprivileged.run(["grade", command[0], "submissions", *command[1:]], folder)
        assert done.returncode == 1 and b"programs may read" in done.stderr


def way(*places: float) -> np.ndarray:
    return np.array([[[x, 0.0, 0.0]] for x in places])


def test_only_robots_that_have_moved_are_compared():
    """Twenty samples in motion, ten of them equal."""
    start = [0.0] * 50
    first, second = np.linspace(0.1, 1, 20), np.concatenate([np.linspace(0.1, 1, 20)[:10], [3.0] * 10])
    assert agreement(way(*start, *first), way(*start, *second)) == pytest.approx(0.5)
    assert agreement(way(*start), way(*start)) == 0
    assert agreement(way(*start, *first), way(*start, *first[:5])) == pytest.approx(0.25)
    assert agreement(way(), way(*first)) == 0
    assert [pair[:2] for pair in similar_pairs({"b": way(*first), "a": way(*first)})] == [("b", "a")]


def test_folders_have_different_names_without_special_characters():
    names = ["Ann Lee_123", "ann lee_123", "../x", "...", "ü"]
    assert folders_of(names) == ["Ann_Lee_123", "ann_lee_123-2", "_x", "_", "ü"]
    assert Places(Path("p")).student("a") == Path("p/students/a")


@pytest.mark.parametrize(
    ("allowed", "note", "shown"),
    [
        ("none", "seed 1: the program ended with exit code 1", ""),
        ("errors", "seed 1: the program ended with exit code 1", "a\nb?"),
        ("errors", "seed 1: travel is 0", ""),
        ("all", "seed 1: travel is 0", "a\nb?"),
    ],
)
def test_students_see_as_much_output_as_the_teacher_allows(allowed: str, note: str, shown: str):
    grade = Grade("a", (Result(criterion(1, 2, None), 0.0, (note,), (note,)),))
    assert allowed_output("a\nb\x1b\n", allowed, grade) == shown


GOOD = {
    "constant": f"motor.setVelocity({SPEED})\n{WAIT}",
    "backwards": f"motor.setVelocity({-SPEED})\n{WAIT}",
    "counts": f"motor.setVelocity({SPEED})\n"
    "for _ in range(10**9):\n    if robot.step(step) == -1:\n        break\n",
    "object": "class Cart:\n    def drive(self):\n"
    f"        motor.setVelocity({SPEED})\nCart().drive()\n{WAIT}",
    "position": f"motor.setPosition(10)\nmotor.setVelocity({SPEED})\n{WAIT}",
    "reads": f"place = robot.getDevice('place')\nplace.enable(step)\nmotor.setVelocity({SPEED})\n"
    "while robot.step(step) != -1:\n    place.getValue()\n",
    "talks": f"motor.setVelocity({SPEED})\nwhile robot.step(step) != -1:\n    print('still driving')\n",
    "writes": f"open('notes.txt', 'w').write('mine')\nmotor.setVelocity({SPEED})\n{WAIT}",
}
"""Programs that get all points: they drive, each in its own way."""
SHARES = {"stands": 0.0, "creeps": 0.02, "slow": 0.25, "half": 0.5, "nearly": 0.75}
"""Wrong programs, and how much of the speed each has: the points for driving are in proportion."""
LIMITS = "memory_mb = 512\nfile_mb = 1\nprocesses = 16\n"


def class_of_30(places: dict[str, object]) -> tuple[dict[str, str], dict[str, float]]:
    """Return 30 programs, all different, and the points of each by the rubric without the hidden limit."""
    programs = {f"good {name}": START + text for name, text in GOOD.items()}
    points = dict.fromkeys(programs, 6.0)
    for name, share in SHARES.items():
        programs[f"wrong {name}"] = f"{START}motor.setVelocity({share * SPEED})\n{WAIT}"
        points[f"wrong {name}"] = 2 + 4 * min(share / 0.9, 1)
    for name, text in BAD.items():
        programs[f"bad {name}"] = START + text.format(**places)
        points[f"bad {name}"] = 0.0
    points["bad nothing"] = 2.0  # it ends without an error, before the robot has left its half
    return programs, points


@pytest.mark.slow
def test_a_class_of_30_gets_the_expected_marks_twice():
    unprivileged.needs_namespaces()
    with unprivileged.folder_of_user() as folder:
        rail(folder, cart())
        easy = RUBRIC.replace("at_most = 0.15", "at_most = 1").replace("hidden_seeds = [7]\n", "")
        easy = easy.replace("timeout = 60", "timeout = 10").replace("cpu_s = 2\n", f"cpu_s = 2\n{LIMITS}")
        (folder / "rubric.toml").write_text(easy)
        solution = folder / "solution.txt"
        solution.write_text(SECRET)
        programs, expected = class_of_30({"root": str(folder), "pid": os.getpid(), "solution": str(solution)})
        assert len(set(programs.values())) == 30
        (folder / "submissions").mkdir()
        for name, text in programs.items():
            (folder / "submissions" / f"{name}.py").write_text(text)
        unprivileged.give(folder)
        marks = []
        for pages in ("first", "second"):
            command = ["grade", "rubric.toml", "submissions", "--json", "--pages", pages, "--jobs", "2"]
            done = unprivileged.run(command, folder)
            assert done.returncode == 0, done.stderr.decode()
            assert SECRET.encode() not in done.stdout + done.stderr
            marks.append(points(json.loads(done.stdout)))
        students = sorted(one.name for one in (folder / "second" / "students").iterdir())
        assert solution.read_text() == SECRET
        assert {path.stem for path in (folder / "submissions").iterdir()} == set(programs)
    assert marks[0] == pytest.approx(expected, abs=0.02)
    assert marks[0] == marks[1], "the same to the last bit"
    assert students == sorted(folders_of(list(programs)))
