"""The folder by which controllers find a simulation on the same machine.

Two layouts are offered, that of R2023b and later and that of R2023a. Controllers look in `/tmp`
whatever the environment says, therefore it is named here.
"""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

from hal.protocol.dialect import R2023A, R2025A, Dialect
from hal.protocol.names import folder_names

__all__ = ["Instance"]

TEMPORARY = Path("/tmp")
_LONGEST_SOCKET = 107
"""Bytes of a local socket's path."""


class Instance:
    """The folders of one running simulation; its number is its TCP port."""

    def __init__(self, number: int) -> None:
        """Make the folders; those of a former process with the number are removed.

        Raises:
            OSError: they cannot be made.
        """
        user = os.environ.get("USER") or os.environ.get("USERNAME") or "default"
        self.number = number
        self.folders: dict[Path, Dialect] = {
            TEMPORARY / "webots" / user / str(number): R2025A,
            TEMPORARY / f"webots-{number}": R2023A,
        }
        for folder in self.folders:
            shutil.rmtree(folder, ignore_errors=True)
            (folder / "ipc").mkdir(parents=True)
            os.chmod(folder, 0o700)
        (self.folder / "live.txt").write_text(f"{int(time.time())}\n", "ascii")

    @property
    def folder(self) -> Path:
        """The folder for libraries of R2023b and later."""
        return next(iter(self.folders))

    def sockets(self, robot: str, kind: str) -> list[tuple[Path, Dialect]]:
        """Where the sockets of a robot lie, with the dialect of those who look there.

        Args:
            robot: its name.
            kind: "extern" for controllers that are started elsewhere, "intern" for those started here.
        """
        made: list[tuple[Path, Dialect]] = []
        for folder, dialect in self.folders.items():
            # One folder for each robot, as a rule: a controller without a name takes the only one there is.
            length = len(os.fspath(folder)) + len("/ipc//extern")
            names = folder_names(robot, length)
            for name in [names[0], *(one for one in names[1:] if one != robot)]:
                path = folder / "ipc" / name / kind
                if len(os.fsencode(path)) <= _LONGEST_SOCKET:
                    path.parent.mkdir(exist_ok=True)
                    made.append((path, dialect))
        return made

    def remove(self) -> None:
        """Take the folders away."""
        for folder in self.folders:
            shutil.rmtree(folder, ignore_errors=True)
