"""Where a grading leaves its pages: what students get, and what only the teacher sees.

FOLDER/index.html                    the teacher's table
FOLDER/students/NAME/index.html      the page of a student, with replays beside it
FOLDER/teacher/NAME/seed-1/          output and way of a run, and replays of hidden runs
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

_UNSAFE = re.compile(r"[^\w.-]+")
LONGEST_NAME = 80
"""Characters of the name of a folder."""


class Places(NamedTuple):
    """The folder of the pages."""

    folder: Path

    @property
    def mark(self) -> Path:
        """A file that says that the folder has pages of a grading, which the next one may replace."""
        return self.folder / ".wbridge-grades"

    @property
    def overview(self) -> Path:
        """The teacher's table."""
        return self.folder / "index.html"

    def student(self, own: str) -> Path:
        """Return the folder that may be given to a student."""
        return self.folder / "students" / own

    def run(self, own: str, seed: int) -> Path:
        """Return the folder with the output and the way of a run."""
        return self.folder / "teacher" / own / f"seed-{seed}"

    def replay(self, own: str, seed: int, is_hidden: bool) -> Path:
        """Return the page with the replay of a run."""
        return self.run(own, seed) / "replay.html" if is_hidden else self.student(own) / f"replay-{seed}.html"


def folders_of(names: Sequence[str]) -> list[str]:
    """Return a name of a folder for each submission, all different also without regard to case."""
    folders: list[str] = []
    for name in names:
        plain = _UNSAFE.sub("_", name).strip(".")[:LONGEST_NAME] or "_"
        taken = {folder.casefold() for folder in folders}
        number, folder = 1, plain
        while folder.casefold() in taken:
            number += 1
            folder = f"{plain}-{number}"
        folders.append(folder)
    return folders
