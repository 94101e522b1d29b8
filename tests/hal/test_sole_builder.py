"""What several processes need at once is built once. Judge: the builds, counted by those that build."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from wbridge.hal.archives import create_folder
from wbridge.hal.folders import sole_builder

BUILD = """
import sys
from pathlib import Path
from wbridge.hal.archives import create_folder

def build(place):
    print("builds", flush=True)
    sys.stdin.readline()
    (place / "file").write_text("whole")

create_folder(Path(sys.argv[1]), build)
print((Path(sys.argv[1]) / "file").read_text())
"""


def started(folder: Path) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", BUILD, str(folder)]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def test_others_wait_and_do_not_build(tmp_path: Path):
    folder = tmp_path / "c" / "library"
    first = started(folder)
    assert first_line(first) == "builds\n"
    others = [started(folder) for _ in range(2)]
    assert first.communicate("\n")[0] == "whole\n"
    assert [one.communicate()[0] for one in others] == ["whole\n"] * 2
    assert os.listdir(folder.parent) == ["library"]


def test_a_process_that_is_killed_gives_way_to_the_next(tmp_path: Path):
    folder = tmp_path / "library"
    first = started(folder)
    assert first_line(first) == "builds\n"
    second = started(folder)
    first.kill()
    first.communicate()
    assert second.communicate("\n")[0] == "builds\nwhole\n"


def test_threads_wait_too(tmp_path: Path):
    builds: list[Path] = []
    begun, may_end = threading.Event(), threading.Event()

    def build(place: Path) -> None:
        builds.append(place)
        begun.set()
        may_end.wait()

    threads = [threading.Thread(target=create_folder, args=(tmp_path / "it", build)) for _ in range(3)]
    for thread in threads:
        thread.start()
    begun.wait()
    may_end.set()
    for thread in threads:
        thread.join()
    assert len(builds) == 1


def test_what_is_there_is_not_built(tmp_path: Path):
    (tmp_path / "program").write_text("")
    with sole_builder(tmp_path / "program") as is_missing:
        assert not is_missing


def removed_as_on_windows(path: Path, missing_ok: bool = False) -> None:
    """Remove a file as DeleteFile() does: not while somebody has it open."""
    if any(os.path.realpath(f"/proc/self/fd/{name}") == str(path) for name in os.listdir("/proc/self/fd")):
        raise PermissionError(13, "sharing violation", str(path))
    os.unlink(path)


def test_on_windows_nobody_has_a_lock_open_that_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    locking = SimpleNamespace(LK_LOCK=1, locking=lambda file, mode, size: None)
    monkeypatch.setitem(sys.modules, "msvcrt", locking)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(Path, "unlink", removed_as_on_windows)
    place, lock = tmp_path / "library", tmp_path / "library.lock"
    with sole_builder(place) as is_missing:
        assert is_missing
    assert os.listdir(tmp_path) == []
    with sole_builder(place):
        waiting = os.open(lock, os.O_RDWR)  # another process that waits
    assert lock.exists()
    os.close(waiting)
    with sole_builder(place):
        pass
    assert os.listdir(tmp_path) == []
