"""The folder by which controllers find a simulation on the same machine.

Two layouts are offered, that of R2023b and later and that of R2023a. Controllers look in `/tmp`
whatever the environment says, therefore it is named here. A file in the folder says which process it belongs
to: folders of processes that were killed are removed by the next run, those of others never.
"""

from __future__ import annotations

import errno
import logging
import os
import shutil
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from hal.protocol.dialect import R2023A, R2025A, Dialect
from hal.protocol.names import folder_names

__all__ = ["Instance", "InstanceTaken"]

_LOG = logging.getLogger(__name__)
TEMPORARY = Path("/tmp")
OWNER = "wbridge"
"""The file that says whose the folder is: process number, and when it started."""
_LONGEST_SOCKET = 107
"""Bytes of a local socket's path."""


class InstanceTaken(OSError):
    """Another simulator that runs has the number."""


class Instance:
    """The folders of one running simulation; its number is its TCP port."""

    def __init__(self, number: int, temporary: Path = TEMPORARY) -> None:
        """Make the folders; those of former processes of this user that have ended are removed.

        Raises:
            InstanceTaken: the folder is another simulator's.
            OSError: the folders cannot be made.
        """
        shared = temporary / "webots"
        own = _own_folder(shared)
        self.number = number
        self.folders: dict[Path, Dialect] = {
            own / str(number): R2025A,
            temporary / f"webots-{number}": R2023A,
        }
        for folder in [*_below(own), *(one for one in _below(temporary) if one.name.startswith("webots-"))]:
            _remove_stale(folder)
        if not shared.exists():
            shared.mkdir(mode=0o1777)
            shared.chmod(0o1777)  # other users of the machine have their folders in it, too
        own.mkdir(mode=0o700, exist_ok=True)
        _check_own(own)
        for folder in self.folders:
            _make(folder)
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

    def mark_loading(self, is_loading: bool) -> None:
        """Say to controllers that look for their robot that a world is being loaded."""
        marker = self.folder / "loading"
        if is_loading:
            marker.touch()
        else:
            marker.unlink(missing_ok=True)

    def remove(self) -> None:
        """Take the folders away."""
        for folder in self.folders:
            shutil.rmtree(folder, ignore_errors=True)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        raise InstanceTaken(f"{folder} belongs to another simulator") from None
    (folder / OWNER).write_text(_signature(os.getpid()), "ascii")
    (folder / "ipc").mkdir()


def _own_folder(shared: Path) -> Path:
    """The folder of this user: named as libraries look for it, unless another user has it.

    In containers the variable USER is often missing, so that all users have the same name.
    """
    user = os.environ.get("USER") or os.environ.get("USERNAME") or "default"
    own = shared / user
    if not own.exists() or own.lstat().st_uid == os.getuid():
        return own
    other = shared / f"{user}-{os.getuid()}"
    _LOG.warning(
        "%s belongs to another user, so %s is used; controllers that are started elsewhere need "
        "WEBOTS_INSTANCE_PATH, or the variable USER here and there",
        own,
        other,
    )
    return other


def _check_own(folder: Path) -> None:
    """A folder that others can write to would let them take the place of a controller."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise PermissionError(errno.EACCES, "this is no folder of this user", str(folder))


def _below(folder: Path) -> Iterator[Path]:
    try:
        yield from sorted(folder.iterdir())
    except OSError:
        return


def _remove_stale(folder: Path) -> None:
    """Remove a folder of this program and user whose process has ended."""
    try:
        found = folder.lstat()
        owner = (folder / OWNER).read_text("ascii", errors="replace")
    except OSError:
        return
    if stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not _lives(owner):
        shutil.rmtree(folder, ignore_errors=True)


def _lives(signature: str) -> bool:
    number = signature.partition(" ")[0]
    return number.isdigit() and _signature(int(number)) == signature


def _signature(process: int) -> str:
    """Number and start time of a process, which together are never given again; "" when there is none."""
    try:
        # The name in parentheses may hold anything; the start time is the 20th field behind it.
        fields = Path(f"/proc/{process}/stat").read_text("utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return ""
    return f"{process} {fields[19]}"
