"""The programs to grade: files or folders in one folder, by the names of their authors."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

__all__ = ["Submission", "find_submissions", "place"]

SUFFIX = ".py"


class Submission(NamedTuple):
    """A program, or why there is none."""

    name: str
    """Of the file or folder, without suffix."""
    file: Path | None
    """The main program; None if it cannot be found."""
    problem: str = ""
    folder: Path | None = None
    """What belongs to it; None: only the main program."""


def find_submissions(folder: Path, controller: str) -> list[Submission]:
    """Return the submissions in a folder, ordered by name.

    A Python file is a submission. So is a folder; its main program is named like the folder or like the
    world's controller, or is its only Python file. Links, hidden files and other files are ignored.

    Args:
        folder: with the submissions.
        controller: name of the controller in the world.

    Raises:
        OSError: the folder cannot be read.
    """
    entries = [
        one for one in folder.iterdir() if not one.name.startswith((".", "__")) and not one.is_symlink()
    ]
    found = [Submission(one.stem, one) for one in entries if one.is_file() and one.suffix == SUFFIX]
    found += [_in_folder(one, controller) for one in entries if one.is_dir()]
    return sorted(found, key=lambda one: one.name)


def _in_folder(folder: Path, controller: str) -> Submission:
    for name in (folder.name, controller):
        file = folder / f"{name}{SUFFIX}"
        if file.is_file():
            return Submission(folder.name, file, "", folder)
    files = sorted(folder.glob(f"*{SUFFIX}"))
    if len(files) == 1:
        return Submission(folder.name, files[0], "", folder)
    found = f"found {', '.join(one.name for one in files)}" if files else "found no Python file"
    wanted = " or ".join(dict.fromkeys(f"{one}{SUFFIX}" for one in (folder.name, controller) if one))
    return Submission(
        folder.name, None, f"no main program: expected {wanted} or a single Python file; {found}"
    )


def place(submission: Submission, folder: Path) -> Path:
    """Copy a submission into an empty folder of its own, where it may write; return its main program.

    Links are not followed: what they lead to is not a part of the submission.

    Raises:
        OSError: it cannot be copied.
    """
    assert submission.file is not None, "there is a program"
    if submission.folder is None:
        return Path(shutil.copy(submission.file, folder / submission.file.name))
    shutil.copytree(submission.folder, folder, symlinks=True, dirs_exist_ok=True)
    return folder / submission.file.name
