"""`wbridge grade`: points by a rubric, and programs that try to disturb others."""

from __future__ import annotations

import csv
import json
import os
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from tests.fleet import unprivileged
from tests.fleet.learning_worlds import SPEED, cart, rail
from wbridge.commands.grade import run
from wbridge.failures import RunError
from wbridge.wbcore.scene.builtin import builtin_directory
from wbridge.wbfleet.grading.limits import readable_folder
from wbridge.wbfleet.grading.rubric import RubricError, read_rubric
from wbridge.wbfleet.grading.submissions import find_submissions

DURATION = 0.4


class Done(NamedTuple):
    """What the command has returned and printed."""

    status: int
    out: str
    err: str


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
timeout = 60
seeds = [1, 2]
[limits]
cpu_s = 1
[[criterion]]
name = "drives"
metric = "travel(ROBOT.CART)"
at_least = {0.9 * SPEED * DURATION}
points = 4
[[criterion]]
name = "does not go too far"
metric = "max(ROBOT.CART.translation[0])"
at_most = 1
"""


@pytest.fixture
def rubric() -> Iterator[Path]:
    with unprivileged.folder_of_user() as folder:
        rail(folder, cart())
        file = folder / "rubric.toml"
        file.write_text(RUBRIC)
        (folder / "submissions").mkdir()
        yield file


@pytest.fixture
def isolated() -> None:
    """For tests that grade as teachers do; not all systems let everybody isolate programs."""
    unprivileged.needs_namespaces()


def submit(rubric: Path, name: str, program: str) -> Path:
    file = rubric.parent / "submissions" / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(START + program)
    return file


def grade(rubric: Path, *arguments: str, **variables: str) -> Done:
    """Run the command as an ordinary user."""
    unprivileged.give(rubric.parent)
    command = ["grade", str(rubric), str(rubric.parent / "submissions"), *arguments]
    done = unprivileged.run(command, rubric.parent, variables)
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.mark.usefixtures("isolated")
def test_a_class_is_graded_without_one_disturbing_another(rubric: Path):
    outside = rubric.parent / "outside.txt"
    outside.write_text("kept")
    submit(rubric, "ann/ann.py", DRIVE)
    submit(rubric, "ben.py", "motor.setVelocity(0)\n" + DRIVE)
    submit(rubric, "cat.py", "while True:\n    pass\n")
    submit(rubric, "dan.py", "1 / 0\n")
    submit(
        rubric,
        "eve.py",
        f"""\
import os, shutil, socket
shutil.rmtree({str(rubric.parent)!r}, ignore_errors=True)
found = []
for harm in (
    lambda: open({str(rubric.parent / "submissions" / "ben.py")!r}).read(),
    lambda: open({str(outside)!r}, "r+"),
    lambda: os.kill({os.getpid()}, 15),
    lambda: socket.create_connection(("192.0.2.1", 9), 1),
):
    try:
        harm()
        found.append(harm)
    except OSError as problem:
        assert not isinstance(problem, TimeoutError), "there is a network"
assert not found
open("own.txt", "w").write("allowed")
{DRIVE}""",
    )
    (rubric.parent / "submissions" / "empty").mkdir()
    done = grade(rubric, "--json")
    assert done.status == 0, done.err
    made = json.loads(done.out)
    assert made["maximum"] == 5
    points = {one["name"]: one["points"] for one in made["grades"]}
    notes = {one["name"]: one["results"][0]["notes"] for one in made["grades"]}
    assert points == {"ann": 5, "ben": 1, "cat": 0, "dan": 0, "empty": 0, "eve": 5}, notes["eve"]
    assert notes["ben"][0].startswith("seed 1: travel(ROBOT.CART) is 0, wanted at least 0.18")
    assert notes["cat"][1] == "seed 2: the program used more processor time than allowed"
    assert notes["dan"][0].endswith("exit code 1: ZeroDivisionError: division by zero")
    assert "no main program: expected empty.py" in notes["empty"][0]
    assert outside.read_text() == "kept"


@pytest.mark.usefixtures("isolated")
@pytest.mark.parametrize(
    ("seconds", "program", "note"),
    [
        # Its sum is tested by test_processor_time.py.
        pytest.param(
            2,
            "import os\nfor _ in range(3):\n    os.fork()\nwhile True:\n    pass\n",
            "more processor time",
            marks=pytest.mark.slow,
        ),
        (
            60,  # a busy machine takes seconds to hand out the memory
            "import os, time\nfor _ in range(3):\n    os.fork()\nkept = b'x' * 150_000_000\ntime.sleep(60)\n",
            "more memory",
        ),
    ],
    ids=["time", "memory"],
)
def test_limits_count_for_all_processes_together(seconds: int, program: str, note: str, rubric: Path):
    """Eight processes, each of which stays below the limits."""
    rubric.write_text(RUBRIC.replace("cpu_s = 1\n", f"cpu_s = {seconds}\nmemory_mb = 800\n"))
    submit(rubric, "eve.py", program)
    (eve,) = json.loads(grade(rubric, "--json").out)["grades"]
    assert eve["points"] == 0
    assert note in eve["results"][0]["notes"][0]


@pytest.mark.usefixtures("isolated")
def test_reports_for_spreadsheets_and_continuous_integration(rubric: Path):
    submit(rubric, "=1+1.py", DRIVE)
    submit(rubric, "zoe.py", "motor.setVelocity(0)\n" + DRIVE)
    table, suite = rubric.with_suffix(".csv"), rubric.with_suffix(".xml")
    done = grade(rubric, "--csv", str(table), "--junit", str(suite))
    assert done.status == 0, done.err
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [(one["submission"], one["points"], one["maximum"]) for one in rows] == [
        ("'=1+1", "5", "5"),
        ("zoe", "1", "5"),
    ]
    suites = ElementTree.parse(suite).getroot()
    assert [(one.get("name"), one.get("failures")) for one in suites] == [("=1+1", "0"), ("zoe", "1")]
    assert "1 of 5  seed 1: travel(ROBOT.CART) is 0" in done.out


def test_all_errors_of_a_rubric_are_listed(tmp_path: Path):
    file = tmp_path / "a.toml"
    file.write_text(
        'wrold = "a.wbt"\nduration = -1\nseeds = []\n[limits]\ncpu = 3\n'
        '[[criterion]]\nname = "a"\nmetric = "median(A.b)"\n'
        '[[criterion]]\nname = "a"\nmetric = "A.b"\nat_least = 1\n'
    )
    with pytest.raises(RubricError) as found:
        read_rubric(file)
    text = str(found.value)
    for words in (
        "unknown field \"wrold\"; did you mean 'world'?",
        "world: expected a text, not None",
        "duration: expected a number above 0, not -1",
        "seeds: expected a list of whole numbers from 0, not []",
        "limits.unknown field \"cpu\"; did you mean 'cpu_s'?",
        'criterion 1: metric: "median" in',
        "criterion 1: expected at_least, at_most or both",
        'criterion "a" is defined twice',
    ):
        assert words in text, words


def test_limits_below_one_are_not_none(tmp_path: Path):
    """A file system in memory with a size of 0 has no limit, see tmpfs(5)."""
    file = tmp_path / "a.toml"
    file.write_text(RUBRIC.replace("cpu_s = 1", "cpu_s = 0.5\ndisk_mb = 0.1\nmemory_mb = 99.5"))
    assert read_rubric(file).limits[:4] == (1, 100, 16, 1)


@pytest.mark.usefixtures("isolated")
def test_wrong_names_are_explained(rubric: Path):
    done = grade(rubric)
    assert done.status == 2
    assert "found no submission; expected Python files" in done.err
    submit(rubric, "ann.py", DRIVE)
    done = grade(rubric, "--only", "anna")
    assert done.status == 2
    assert 'no submission "anna"' in done.err
    rubric.write_text(RUBRIC.replace("ROBOT.CART.", "ROBOT.CARD."))
    done = grade(rubric)
    assert done.status == 2
    assert "CARD" in done.err


def test_links_are_no_submissions(rubric: Path):
    """They could lead to the program of somebody else."""
    file = submit(rubric, "ann.py", DRIVE)
    file.with_name("bob.py").symlink_to(file)
    assert [one.name for one in find_submissions(file.parent, "", rubric.parent, 0)] == ["ann"]


def test_root_is_refused(rubric: Path, monkeypatch: pytest.MonkeyPatch):
    """With the command that does it: root's programs would have root's rights."""
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setenv("SUDO_USER", "ann")
    monkeypatch.setattr("sys.argv", ["wbridge", "grade", "a b.toml", "submissions"])
    with pytest.raises(RunError, match="runuser -u ann -- wbridge grade 'a b.toml' submissions"):
        run(Namespace())


@pytest.mark.usefixtures("isolated")
def test_programs_of_supervisors_are_refused(rubric: Path):
    """The simulator does what they ask for, with the rights of the teacher."""
    rail(rubric.parent, cart().replace('name "cart"', 'supervisor TRUE name "cart"', 1))
    submit(rubric, "ann.py", DRIVE)
    done = grade(rubric)
    assert done.status == 1
    assert 'robot "cart" is a supervisor' in done.err
    assert grade(rubric, "--allow-weak-isolation").status == 0


@pytest.mark.usefixtures("isolated")
def test_submissions_that_others_can_read_are_refused(rubric: Path):
    """What is in the project's folders for controllers, all programs may read."""
    submit(rubric, "ann.py", DRIVE)
    inside = rubric.parent / "controllers" / "class"
    (rubric.parent / "controllers").mkdir()
    (rubric.parent / "submissions").rename(inside)
    (rubric.parent / "submissions").symlink_to(inside)
    done = grade(rubric)
    assert done.status == 1
    assert f"programs may read {rubric.parent / 'controllers'}, so" in done.err


@pytest.mark.usefixtures("isolated")
def test_other_controllers_start_in_their_folders(rubric: Path):
    """A judge of the teacher's reads a file beside it."""
    judge = 'Robot { name "judge" controller "judge" supervisor TRUE }'
    rail(rubric.parent, cart(), judge)
    rubric.write_text(RUBRIC.replace("duration", 'robot = "cart"\nduration', 1))
    folder = rubric.parent / "controllers" / "judge"
    folder.mkdir(parents=True)
    (folder / "level.txt").write_text("7")
    (folder / "judge.py").write_text(
        "from controller import Supervisor\njudge = Supervisor()\nassert open('level.txt').read() == '7'\n"
        "while judge.step(8) != -1:\n    pass\n"
    )
    submit(rubric, "ann.py", "assert open(__file__).read()\nopen('own.txt', 'w').write('x')\n" + DRIVE)
    (ann,) = json.loads(grade(rubric, "--json").out)["grades"]
    assert (ann["points"], ann["results"][0]["notes"]) == (5, [])


def test_controllers_that_come_with_wbridge_run_beside_submissions(tmp_path: Path):
    """A class's world may have a robot with one of them, in a project that has no controllers of its own."""
    program = builtin_directory() / "controllers" / "leader" / "leader.py"
    assert readable_folder(program, tmp_path) == program.parents[1]
