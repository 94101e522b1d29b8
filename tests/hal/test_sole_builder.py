"""What several processes need at once is built once. Judge: the builds, counted by those that build."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

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
