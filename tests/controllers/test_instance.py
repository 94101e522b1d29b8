"""The folders of a run stay as long as it lives, whatever other runs and the system do.

Judge: the rule of docs for several runs: each has its own number, and its folders end with it.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from wbridge.wbcore.controllers import instance
from wbridge.wbcore.controllers.instance import OWNER, Instance


def test_a_run_that_is_removed_twice_leaves_the_next_one_with_its_number(tmp_path: Path):
    first = Instance(4001, tmp_path)
    first.remove()
    second = Instance(4001, tmp_path)
    first.remove()
    assert all((folder / "ipc").is_dir() for folder in second.folders)
    second.remove()


def test_a_run_removes_no_folder_of_another_process(tmp_path: Path):
    """As a process that was forked from it, or one that was stopped for long, might."""
    run = Instance(4001, tmp_path)
    for folder in run.folders:
        (folder / OWNER).write_text("1 12345")
    run.remove()
    assert all(folder.is_dir() for folder in run.folders)


def test_a_run_that_cannot_make_both_folders_leaves_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    real = Path.rename

    def rename(self: Path, target: Path) -> Path:
        if target.name.startswith("webots-"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(self, target)

    with monkeypatch.context() as full:
        full.setattr(Path, "rename", rename)
        with pytest.raises(OSError, match="No space left"):
            Instance(4001, tmp_path)
    Instance(4001, tmp_path).remove()


def test_runs_of_which_nothing_can_be_learned_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A process with too many open files cannot read what the kernel says of others."""
    first, second = Instance(4001, tmp_path), Instance(4002, tmp_path)
    real = Path.read_text

    def read(self: Path, *arguments: str, **options: str) -> str:
        if self.name == "stat":
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return real(self, *arguments, **options)

    with monkeypatch.context() as busy:
        busy.setattr(Path, "read_text", read)
        instance._remove_stale(first.folder)
    assert first.folder.is_dir()
    first.remove()
    second.remove()
