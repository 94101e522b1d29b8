"""The record of what became of each wheel, and its table in the documentation.

Judges: the list of what is built, the limit of the size, and 30 s to the first picture.
"""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.wheels import platforms, record
from scripts.wheels.__main__ import names
from scripts.wheels.check import MOST_BYTES
from scripts.wheels.finish import tag
from scripts.wheels.first_picture import address_in, first_poses
from scripts.wheels.hashes import SAMPLES
from scripts.wheels.platforms import PLATFORMS, Counts, note_tests, noted_tests, platform_of, platform_table
from scripts.wheels.record import PAGE, Trial, known_wheels, note, page_with, read, short, table
from scripts.wheels.rooms import COMPILED
from scripts.windows.wheel import TAG
from tests.project.files import CHECKOUT

MOST_SECONDS = 30
DONE = Trial("w cp312-abi3-win_amd64", 4_940_000, "a room", ["nao"], "", 5.5, [])


@pytest.fixture
def own_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "tried.json"
    monkeypatch.setattr(record, "RECORD", file)
    return file


def test_the_table_on_the_page_is_that_of_the_record() -> None:
    text = PAGE.read_text("utf-8")
    assert table(read()) in text
    assert page_with(text, read()) == text, "run python -m scripts.wheels.record"


def test_each_wheel_of_a_release_is_in_the_table() -> None:
    built = {f"wbridge_robotics {tag(*wheel)}" for wheel in names().values()}
    assert built < set(known_wheels())
    assert {trial.wheel for trial in read()} <= set(known_wheels())
    text = PAGE.read_text("utf-8")
    assert [wheel for wheel in known_wheels() if f"| `{wheel}` |" not in text] == []


def test_wheels_are_named_by_project_and_tag() -> None:
    assert short("wbridge_robotics-0.1.0-cp312-abi3-win_amd64.whl") == f"wbridge_robotics {TAG}"


@pytest.mark.parametrize("trial", read(), ids=lambda trial: f"{trial.wheel} {trial.room}")
def test_each_wheel_in_the_record_is_fit_to_be_published(trial: Trial) -> None:
    assert trial.size <= MOST_BYTES
    assert (trial.differs, trial.left) == ("", [])
    if trial.room and "controller" not in trial.wheel:
        assert set(SAMPLES) - set(COMPILED) <= set(trial.samples)
        assert trial.seconds < MOST_SECONDS


def test_a_later_trial_replaces_the_one_in_the_same_room(own_record: Path) -> None:
    note(DONE._replace(room="", samples=[], seconds=0.0))
    note(DONE._replace(differs="nao: 1 instead of 2"))
    note(DONE._replace(room="another"))
    note(DONE)
    assert [trial.room for trial in read()] == ["a room", "another"]
    assert [trial.differs for trial in read()] == ["", ""]


def test_the_table_says_what_became_of_a_wheel() -> None:
    nowhere = Trial("w cp312-abi3-manylinux_2_28_aarch64", 1_000_000)
    bad = DONE._replace(differs="nao: 1 instead of 2", left=["a.py", "b"])
    _, _, good, other, third, *missing = table([DONE, nowhere, bad]).splitlines()
    assert [line.split("|")[1].strip(" `") for line in missing] == known_wheels()
    assert good == "| `w cp312-abi3-win_amd64` | 4.94 MB | a room | 1 equal | 5.5 s | nothing |"
    assert "| 1.00 MB | nowhere: built and checked |" in other
    assert third.endswith("| nao: 1 instead of 2 | 5.5 s | a.py, b |")
    assert DONE.summary() == "a room: 1 equal, first picture after 5.5 s of processors, nothing left behind"


def test_each_wheel_of_the_simulator_is_one_of_a_platform() -> None:
    wheels = [wheel for wheel in known_wheels() if wheel.startswith("wbridge_robotics")]
    assert {platform_of(wheel) for wheel in wheels} <= set(PLATFORMS.values())
    assert platform_of("wbridge_controller cp312-abi3-win_amd64") is None


def test_the_table_says_what_became_of_a_platform(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platforms, "COUNTS", tmp_path / "tested.json")
    note_tests(platforms.WINDOWS, Counts(900, 50, 45, 5))
    note_tests(platforms.WINDOWS, Counts(1900, 50, 45, 5, "20 of 30 files"))
    assert noted_tests() == {platforms.WINDOWS: Counts(1900, 50, 45, 5, "20 of 30 files")}
    wheel = DONE._replace(wheel=f"wbridge_robotics {TAG}")
    _, _, *lines = platform_table([wheel]).splitlines()
    assert [line.split("|")[1].strip() for line in lines] == list(PLATFORMS.values())
    words = "builds | a room | all equal | 2,000 (20 of 30 files) | 1,900 | 50 | 45 | 5"
    assert f"| {platforms.WINDOWS} | {words} |" in lines
    bad = wheel._replace(differs="nao: 1 instead of 2")
    assert "| a room | nao: 1 instead of 2 |" in platform_table([bad])
    assert f"| {platforms.WINDOWS} | not built | nowhere | not run |" in platform_table([])


def test_the_demo_sends_its_first_picture_to_who_opens_its_page() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = ["demo", "--no-open", "--port-windows", str(port)]
    demo = subprocess.Popen(
        [sys.executable, "-m", "wbridge", *words],
        cwd=CHECKOUT, env={**os.environ, "PYTHONUNBUFFERED": "1"}, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert demo.stdout is not None
    with demo:
        try:
            address = next(filter(None, map(address_in, demo.stdout)))
            assert f":{port}/" in address
            assert first_poses(address) > 1000
        finally:
            demo.terminate()
