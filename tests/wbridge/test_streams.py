"""Commands whose output is closed, or goes to a full disk: one line, no traceback.

Judge: full(4), "write(2) to this device always fails with ENOSPC"; `>&-` of the shell closes a stream.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from wbridge.streams import disk_problem

WORLD = "worlds/two_wheels.wbt"
COMMANDS = (
    f"devices {WORLD}",
    f"check {WORLD} --json",
    f"run {WORLD} --no-controllers --steps 2 --json",
    "--help",
    "run --help",
)


def run(
    words: str, redirection: str, folder: Path = CHECKOUT, before: str = ""
) -> subprocess.CompletedProcess[str]:
    """A command line with a redirection by the shell."""
    command = f"{before}{sys.executable} -m wbridge {words} {redirection}"
    return subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("words", COMMANDS)
def test_a_full_disk_is_one_line(words: str):
    done = run(words, ">/dev/full")
    *_, last = done.stderr.splitlines()
    assert (done.returncode, last) == (1, "wbridge: cannot write the output: No space left on device")
    assert "Traceback" not in done.stderr


def test_a_machine_without_room_for_temporary_files_is_one_line(tmp_path: Path):
    """The shell lets its programs write files of no bytes (ulimit of POSIX)."""
    recording = tmp_path / "run.x3d"
    recording.write_text("<X3D/>")
    done = run(f"view {recording}", "", before="ulimit -f 0; exec ")
    *_, last = done.stderr.splitlines()
    assert done.returncode == 1
    assert last.startswith("wbridge: no folder for temporary files can be written; tried: ")
    assert f"/var/tmp, /usr/tmp, {CHECKOUT}. Set TMPDIR to one that can" in last
    assert "Traceback" not in done.stderr


def test_a_temporary_folder_of_another_user_is_one_line():
    text = "/srv/wbridge-1000 belongs to another user; set WBRIDGE_CACHE to a folder of yours"
    assert disk_problem(PermissionError(text)) == text
    assert disk_problem(PermissionError(13, "Permission denied", "a")) == "", "an error of the program"


@pytest.mark.parametrize(
    ("words", "redirection"),
    [(COMMANDS[0], ">&-"), (COMMANDS[1], "2>&-"), (COMMANDS[2], "<&- >&- 2>&-"), (COMMANDS[3], ">&-")],
)
def test_closed_streams_take_nothing(words: str, redirection: str):
    done = run(words, redirection)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert bool(done.stdout) == (redirection == "2>&-")


def test_what_is_printed_gets_into_no_file_that_was_opened_for_other_things(tmp_path: Path):
    record = tmp_path / "run.csv"
    done = run(f"run {WORLD} --no-controllers --steps 2 --record {record}", "<&- >&- 2>&-")
    assert done.returncode == 0
    assert record.read_text().startswith("time,")
    assert "simulated" not in record.read_text()


def test_a_run_outlives_a_full_disk_for_its_controllers_output(tmp_path: Path):
    (tmp_path / "talk.py").write_text(
        "from controller import Robot\nrobot = Robot()\n"
        "for _ in range(3):\n    robot.step(32)\n    print('one')\n    print('two')\n"
    )
    words = f"run {WORLD} --controller {tmp_path / 'talk.py'} --prefix --record {tmp_path / 'run.csv'}"
    done = run(words, ">/dev/full")
    assert done.stderr.count("output of controllers is lost: No space left on device") == 1
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert len((tmp_path / "run.csv").read_text().splitlines()) > 3


def test_lines_of_both_streams_stand_in_their_order(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    lines = run(f"check {WORLD} worlds/arm.wbt", "2>&1").stdout.splitlines()
    told = [line.split(":")[0] for line in lines if "reading" not in line]  # which busy machines say
    assert told == [WORLD, "worlds/arm.wbt", "2 files, 2 without errors"]
