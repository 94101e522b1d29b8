"""Recordings are written as they go and can be read after any end: full disk, kill -9.

Judges: Python's own readers of CSV files and numpy's of archives; the limit on the size of files
(setrlimit(2), RLIMIT_FSIZE) acts as a full disk does.
"""

from __future__ import annotations

import csv
import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import CHECKOUT
from wbridge.wbcore.recordings import row_files
from wbridge.wbcore.recordings.row_files import ArchiveFile, CsvFile

WORLD = CHECKOUT / "worlds" / "two_wheels.wbt"
RUN = """
import os, resource, signal, sys
from wbridge.wbcore.recordings import row_files
from wbridge.wbcore.recordings.recorder import Recorder
from wbridge.wbcore.simulation import Simulation
from wbridge.main import main
row_files.SHORTEST_S, row_files.SHARE = 0.0, 1e9
"""
KILLED = """
take, rows = Recorder.take, []
def take_and_die(self):
    take(self)
    rows.append(self)
    if len(rows) == 8:
        os.kill(os.getpid(), signal.SIGKILL)
Recorder.take = take_and_die
"""
FULL = "resource.setrlimit(resource.RLIMIT_FSIZE, (BYTES, BYTES))\n"


def run(code: str, *words: object) -> subprocess.CompletedProcess[str]:
    """`wbridge run` in a process that is prepared by some code."""
    arguments = ["run", str(WORLD), "--no-controllers", *map(str, words)]
    script = f"{RUN}{code}\nsys.exit(main({arguments!r}))"
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)


def rows_of(path: Path) -> list[list[str]]:
    """The rows of a table, all of which are whole."""
    text = path.read_bytes().decode()
    assert text.endswith("\r\n")
    rows = list(csv.reader(text.splitlines()))
    assert {len(row) for row in rows} == {len(rows[0])}
    return rows[1:]


def test_a_table_has_all_rows_after_kill_9(tmp_path: Path):
    path = tmp_path / "run.csv"
    assert run(KILLED, "--steps", 100, "--record", path).returncode == -9
    assert len(rows_of(path)) == 8


def test_an_archive_can_be_read_after_kill_9(tmp_path: Path):
    path = tmp_path / "run.npz"
    assert run(KILLED, "--steps", 100, "--record", path).returncode == -9
    with np.load(path) as recorded:
        assert recorded["time"].tolist() == pytest.approx([0.016 * k for k in range(8)])
        assert len(recorded["positions"]) == len(recorded["quaternions"]) == 8


@pytest.mark.parametrize(("suffix", "size"), [("csv", 20000), ("npz", 8000)])
def test_a_full_disk_ends_the_recording_and_not_the_run(tmp_path: Path, suffix: str, size: int):
    path = tmp_path / f"run.{suffix}"
    done = run(FULL.replace("BYTES", str(size)), "--steps", 2000, "--record", path, "--json")
    assert done.returncode == 1
    (line,) = [one for one in done.stderr.splitlines() if "error" in one]
    assert line.startswith(f"error: the recording {path} is incomplete: File too large")
    assert "Traceback" not in done.stderr
    told = json.loads(done.stdout)
    assert (told["steps"], told["record_problem"]) == (2000, "File too large")
    if suffix == "csv":
        assert 10 < len(rows_of(path)) < 2000
    else:
        with np.load(path) as recorded:
            assert 10 < len(recorded["time"]) < 2000
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_a_full_disk_at_the_start_is_an_error_of_one_line(tmp_path: Path):
    done = run(FULL.replace("BYTES", "10"), "--steps", 5, "--record", tmp_path / "run.npz")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(f"wbridge: cannot record to {tmp_path / 'run.npz'}: File")


def test_an_archive_is_written_in_less_than_a_tenth_of_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    clock, saves = [0.0], []

    def save(file: object, **arrays: object) -> None:
        saves.append(clock[0])
        clock[0] += 1.0

    monkeypatch.setattr(row_files, "monotonic", lambda: clock[0])
    monkeypatch.setattr(row_files.np, "savez", save)
    file = ArchiveFile(tmp_path / "a.npz", dict)
    while clock[0] < 100:
        clock[0] += 0.1
        file.add()
    assert len(saves) == 10


def test_an_archive_goes_where_a_link_leads(tmp_path: Path):
    (tmp_path / "link.npz").symlink_to(tmp_path / "run.npz")
    file = ArchiveFile(tmp_path / "link.npz", lambda: {"a": np.arange(3)})
    file.close()
    assert (tmp_path / "link.npz").is_symlink()
    with np.load(tmp_path / "run.npz") as read:
        assert read["a"].tolist() == [0, 1, 2]


def test_a_device_takes_no_table(caplog: pytest.LogCaptureFixture):
    with pytest.raises(OSError, match="No space left"):
        CsvFile(Path("/dev/full"), ["a"])


def read(path: Path) -> list[list[str]]:
    with path.open(newline="") as file:
        return [*csv.reader(file)]


def test_columns_that_are_added_are_empty_in_the_rows_before(tmp_path: Path):
    path = tmp_path / "a.csv"
    file = CsvFile(path, ["time", 'a "quoted",\nname'])
    file.add(["0", "1"])
    for number in range(2, 5):
        file.add_columns([f"n{number}"])
        file.add(["1"] * (number + 1))
    file.close()
    assert read(path) == [
        ["time", 'a "quoted",\nname', "n2", "n3", "n4"],
        ["0", "1", "", "", ""],
        ["1", "1", "1", "", ""],
        ["1", "1", "1", "1", ""],
        ["1", "1", "1", "1", "1"],
    ]
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_a_table_is_whole_while_rows_wait_for_their_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    clock = [0.0]
    monkeypatch.setattr(row_files, "monotonic", lambda: clock[0])
    path = tmp_path / "a.csv"
    file = CsvFile(path, ["time"])
    file.add(["0"])
    file.add_columns(["first"])
    file.add(["1", "1"])
    assert read(path) == [["time", "first"], ["0", ""], ["1", "1"]], "the first time, at once"
    file.add_columns(["second"])
    file.add(["2", "2", "2"])
    assert read(path) == [["time", "first"], ["0", ""], ["1", "1"]]
    clock[0] += row_files.SHORTEST_S
    file.add(["3", "3", "3"])
    file.add(["4", "4", "4"])
    assert read(path)[2:] == [["1", "1", ""], ["2"] * 3, ["3"] * 3, ["4"] * 3]
    file.close()


def test_a_pipe_keeps_its_columns(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    file = CsvFile(path, ["time"])
    for name in ("a", "b"):
        file.add_columns([name])
    file.add(["0", "1", "2"])
    file.close()
    assert os.read(reader, 100) == b"time\r\n0\r\n"
    os.close(reader)
    (line,) = caplog.messages
    assert "gets no columns" in line


def test_a_table_that_cannot_get_columns_keeps_its_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    path = tmp_path / "a.csv"
    file = CsvFile(path, ["time"])
    file.add(["0"])
    file.add_columns(["a"])

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(row_files.os, "replace", fail)
    file.add(["1", "1"])
    file.add(["2", "2"])
    file.close()
    assert read(path) == [["time"], ["0"]]
    assert file.problem == "No space left on device"
    assert len(caplog.messages) == 1
    assert [one.name for one in tmp_path.iterdir()] == [path.name]
