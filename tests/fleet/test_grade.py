"""`wbridge grade`: points by a rubric, and programs that try to disturb others."""

from __future__ import annotations

import csv
import json
import os
import socket
from pathlib import Path
from tempfile import NamedTemporaryFile
from xml.etree import ElementTree

import pytest

from tests.conftest import absent
from tests.fleet.learning_worlds import SPEED, cart, rail
from wbfleet.grading.limits import isolation
from wbfleet.grading.rubric import RubricError, read_rubric
from wbfleet.grading.submissions import find_submissions
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
def rubric(tmp_path: Path) -> Path:
    rail(tmp_path, cart())
    file = tmp_path / "rubric.toml"
    file.write_text(RUBRIC)
    (tmp_path / "submissions").mkdir()
    return file


@pytest.fixture
def isolated() -> None:
    """For tests that grade as teachers do; not all systems let everybody isolate programs."""
    missing = isolation().missing
    if missing:
        absent(f"this system cannot restrict: {', '.join(missing)}")


def submit(rubric: Path, name: str, program: str) -> Path:
    file = rubric.parent / "submissions" / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(START + program)
    return file


def grade(rubric: Path, *arguments: str) -> int:
    return main(["grade", str(rubric), str(rubric.parent / "submissions"), *arguments])


@pytest.mark.usefixtures("isolated")
def test_a_class_is_graded_without_one_disturbing_another(
    rubric: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
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
    lambda: open({str(outside)!r}, "w"),
    lambda: os.kill({os.getpid()}, 15),
    lambda: socket.create_connection(("127.0.0.1", 9), 1),
):
    try:
        harm()
        found.append(harm)
    except OSError as problem:
        assert not isinstance(problem, ConnectionRefusedError), "there is a network"
assert not found
open("own.txt", "w").write("allowed")
{DRIVE}""",
    )
    (rubric.parent / "submissions" / "empty").mkdir()
    assert grade(rubric, "--json") == 0
    made = json.loads(capsys.readouterr().out)
    assert made["maximum"] == 5
    points = {one["name"]: one["points"] for one in made["grades"]}
    assert points == {"ann": 5, "ben": 1, "cat": 0, "dan": 0, "empty": 0, "eve": 5}
    notes = {one["name"]: one["results"][0]["notes"] for one in made["grades"]}
    assert notes["ben"][0].startswith("seed 1: travel(ROBOT.CART) is 0, wanted at least 0.18")
    assert notes["cat"][1] == "seed 2: the program used more processor time than allowed"
    assert notes["dan"][0].endswith("exit code 1: ZeroDivisionError: division by zero")
    assert "no main program: expected empty.py" in notes["empty"][0]
    assert outside.read_text() == "kept"


@pytest.mark.usefixtures("isolated")
def test_ways_out_are_closed(
    rubric: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """Sockets, shared memory, temporary files, the environment and processes of the teacher."""
    monkeypatch.setenv("TEACHERS_SECRET", "42")
    with socket.socket(socket.AF_UNIX) as door, NamedTemporaryFile(dir="/dev/shm") as memory:
        door.bind(str(rubric.parent / "door"))
        door.listen()
        submit(
            rubric,
            "eve.py",
            f"""\
import os, socket
assert not os.path.exists({str(rubric.parent / "door")!r})
try:
    socket.socket(socket.AF_UNIX).connect({str(rubric.parent / "door")!r})
except OSError:
    pass
else:
    raise AssertionError("a socket")
assert os.listdir("/dev/shm") == []
assert not os.path.exists({memory.name!r})
assert "TEACHERS_SECRET" not in os.environ
for name in filter(str.isdigit, os.listdir("/proc")):
    try:
        environment = open(f"/proc/{{name}}/environ", "rb").read()
    except PermissionError:
        environment = b""
    assert b"TEACHERS_SECRET" not in environment
{DRIVE}""",
        )
        assert grade(rubric, "--json") == 0
        assert os.path.exists(memory.name)
    (eve,) = json.loads(capsys.readouterr().out)["grades"]
    assert (eve["points"], eve["results"][0]["notes"]) == (5, [])


@pytest.mark.usefixtures("isolated")
@pytest.mark.parametrize(
    ("program", "note"),
    [
        ("import os\nfor _ in range(3):\n    os.fork()\nwhile True:\n    pass\n", "more processor time"),
        (
            "import os, time\nfor _ in range(3):\n    os.fork()\nkept = b'x' * 150_000_000\ntime.sleep(60)\n",
            "ended",
        ),
    ],
    ids=["time", "memory"],
)
def test_limits_count_for_all_processes_together(
    program: str, note: str, rubric: Path, capsys: pytest.CaptureFixture[str]
):
    """Eight processes, each of which stays below the limits."""
    rubric.write_text(RUBRIC.replace("cpu_s = 1\n", "cpu_s = 2\nmemory_mb = 800\n"))
    submit(rubric, "eve.py", program)
    assert grade(rubric, "--json") == 0
    (eve,) = json.loads(capsys.readouterr().out)["grades"]
    assert eve["points"] == 0
    assert note in eve["results"][0]["notes"][0]


@pytest.mark.usefixtures("isolated")
def test_reports_for_spreadsheets_and_continuous_integration(
    rubric: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    submit(rubric, "=1+1.py", DRIVE)
    submit(rubric, "zoe.py", "motor.setVelocity(0)\n" + DRIVE)
    assert grade(rubric, "--csv", str(tmp_path / "a.csv"), "--junit", str(tmp_path / "a.xml")) == 0
    rows = list(csv.DictReader((tmp_path / "a.csv").read_text().splitlines()))
    assert [(one["submission"], one["points"], one["maximum"]) for one in rows] == [
        ("'=1+1", "5", "5"),
        ("zoe", "1", "5"),
    ]
    suites = ElementTree.parse(tmp_path / "a.xml").getroot()
    assert [(one.get("name"), one.get("failures")) for one in suites] == [("=1+1", "0"), ("zoe", "1")]
    assert "1 of 5  seed 1: travel(ROBOT.CART) is 0" in capsys.readouterr().out


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


@pytest.mark.usefixtures("isolated")
def test_wrong_names_are_explained(rubric: Path, capsys: pytest.CaptureFixture[str]):
    assert grade(rubric) == 2
    assert "found no submission; expected Python files" in capsys.readouterr().err
    submit(rubric, "ann.py", DRIVE)
    assert grade(rubric, "--only", "anna") == 2
    assert 'no submission "anna"' in capsys.readouterr().err
    rubric.write_text(RUBRIC.replace("ROBOT.CART.", "ROBOT.CARD."))
    assert grade(rubric) == 2
    assert "CARD" in capsys.readouterr().err


def test_links_are_no_submissions(rubric: Path):
    """They could lead to the program of somebody else."""
    file = submit(rubric, "ann.py", DRIVE)
    file.with_name("bob.py").symlink_to(file)
    assert [one.name for one in find_submissions(file.parent, "")] == ["ann"]
