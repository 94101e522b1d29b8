"""The folder by which controllers find a simulation on the same machine.

Two layouts are provided: that of R2023b and later, and that of R2023a. Controllers always look in `/tmp`, so
the environment is not consulted. A file identifies the process that owns the folder: the next run removes
folders of killed processes of this program, and never those of others. A lock per user keeps runs that start
or end at the same time from removing each other's half-made folders.
"""

from __future__ import annotations

import errno
import logging
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wbridge.hal.folders import lock_file
from wbridge.hal.protocol.dialect import R2023A, R2025A, Dialect
from wbridge.hal.protocol.names import folder_names

_LOG = logging.getLogger(__name__)
TEMPORARY = Path("/tmp")
OWNER = "wbridge"
"""The file that identifies the owner: process number and start time."""
HIDDEN = f".{OWNER}-folder-"
"""How the name of a folder begins that is being made or removed."""
LOCK_FLAGS = os.O_CREAT | os.O_RDWR
if sys.platform != "win32":
    LOCK_FLAGS |= os.O_NOFOLLOW | os.O_CLOEXEC
PROCESSES = Path("/proc")
LONGEST_SOCKET = 107
"""Maximum length of a local socket's path, in bytes."""


class InstanceTaken(OSError):
    """Raised when another running simulator uses the number."""


class Instance:
    """The folders of one running simulation; its number is its TCP port."""

    def __init__(self, number: int, temporary: Path = TEMPORARY) -> None:
        """Create the folders, and remove those of this user's processes that have ended.

        Raises:
            InstanceTaken: the folder belongs to another simulator.
            OSError: the folders cannot be created.
        """
        shared = _shared_folder(temporary)
        own = _own_folder(shared)
        self.number = number
        self.folders: dict[Path, Dialect] = {
            own / str(number): R2025A,
            temporary / f"webots-{number}": R2023A,
        }
        self._signature, self._own = _signature(os.getpid()), list(self.folders)
        self._locks = shared / f".{OWNER}-{os.getuid()}.lock", own / f".{OWNER}.lock"
        with _held(*self._locks):
            for folder in self.folders:
                _remove_stale(folder)
            _make_all(list(self.folders), self._signature)
            # After the number is found: who tries many numbers looks at all folders once.
            for folder in [*_below(own), *_below(temporary, "webots-"), *_below(temporary, HIDDEN)]:
                _remove_stale(folder)
        (self.folder / "live.txt").write_text(f"{int(time.time())}\n", "ascii")

    @property
    def folder(self) -> Path:
        """The folder for libraries of R2023b and later."""
        return next(iter(self.folders))

    def sockets(self, robot: str, kind: str) -> list[tuple[Path, Dialect]]:
        """Return the socket paths of a robot, each with the dialect of the libraries that use it.

        Args:
            robot: name of the robot.
            kind: "extern" for controllers started by the user, "intern" for those started here.
        """
        made: list[tuple[Path, Dialect]] = []
        for folder, dialect in self.folders.items():
            # Usually one folder per robot: a controller without a robot name uses the only folder there is.
            length = len(os.fspath(folder)) + len("/ipc//extern")
            names = folder_names(robot, length)
            for name in [names[0], *(name for name in names[1:] if name != robot)]:
                path = folder / "ipc" / name / kind
                if len(os.fsencode(path)) <= LONGEST_SOCKET:
                    path.parent.mkdir(exist_ok=True)
                    made.append((path, dialect))
        return made

    def mark_loading(self, is_loading: bool) -> None:
        """Tell controllers that look for their robot whether a world is loading."""
        marker = self.folder / "loading"
        if is_loading:
            marker.touch()
        else:
            marker.unlink(missing_ok=True)

    def remove(self) -> None:
        """Remove the folders, once: another run may have the same number later."""
        with _held(*self._locks):
            while self._own:
                folder = self._own.pop()
                if _owner(folder) == self._signature:
                    _remove(folder)


def _shared_folder(temporary: Path) -> Path:
    """Return the folder in which all users have theirs, or one of this user alone if another user made it.

    Raises:
        PermissionError: both belong to other users.
    """
    shared = temporary / "webots"
    if not _is_foreign(shared):
        _share(shared)
        return shared
    private = temporary / f"{OWNER}-{os.getuid()}"
    private.mkdir(mode=0o700, exist_ok=True)
    _check_own(private)
    _LOG.warning(
        "%s belongs to another user, who could take the place of controllers in it; using %s instead. "
        "Controllers that you start yourself need WEBOTS_CONTROLLER_URL=tcp://127.0.0.1:PORT/ROBOT",
        shared,
        private,
    )
    return private


def _is_foreign(folder: Path) -> bool:
    """True if another user could replace what is in the folder: it is theirs, or root's and open to all."""
    try:
        status = folder.lstat()
    except FileNotFoundError:
        return False
    if not stat.S_ISDIR(status.st_mode):
        return True
    return status.st_uid != os.getuid() and (status.st_uid != 0 or _lets_rename(status.st_mode))


def _lets_rename(mode: int) -> bool:
    """True if other users may rename and remove what is in a folder that is not theirs."""
    return bool(mode & 0o022) and not mode & stat.S_ISVTX


def _share(folder: Path) -> None:
    """Make the folder in which all users have theirs, and in which they cannot rename those of others."""
    try:
        folder.mkdir()
        folder.chmod(0o1777)
    except FileExistsError:
        status = folder.lstat()
        if status.st_uid == os.getuid() and _lets_rename(status.st_mode):
            folder.chmod(stat.S_IMODE(status.st_mode) | stat.S_ISVTX)


@contextmanager
def _held(common: Path, own: Path) -> Iterator[None]:
    """Hold the lock of this user's runs.

    Args:
        common: the lock for all values of the variable USER; another user may have made it.
        own: the lock in this user's folder, in place of such a one: others could hold that for ever.
    """
    own.parent.mkdir(mode=0o700, exist_ok=True)
    _check_own(own.parent)
    file = _opened(common)
    if file is None:
        file = os.open(own, LOCK_FLAGS, 0o600)
    try:
        lock_file(file)
        yield
    finally:
        os.close(file)


def _opened(lock: Path) -> int | None:
    """Open a lock of this user; None if another user has made it."""
    try:
        file = os.open(lock, LOCK_FLAGS, 0o600)
    except OSError:
        return None
    if os.fstat(file).st_uid == os.getuid():
        return file
    os.close(file)
    return None


def _make_all(folders: list[Path], signature: str) -> None:
    """Make all folders or none."""
    if taken := next((folder for folder in folders if folder.exists()), None):
        raise InstanceTaken(f"{taken} belongs to another simulator")
    for number, folder in enumerate(folders):
        try:
            _make(folder, signature)
        except OSError:
            for earlier in folders[:number]:
                _remove(earlier)
            raise


def _make(folder: Path, signature: str) -> None:
    """Make a folder that is complete, with its owner, from the moment at which it exists."""
    hidden = Path(tempfile.mkdtemp(prefix=HIDDEN, dir=folder.parent))
    (hidden / OWNER).write_text(signature, "ascii")
    (hidden / "ipc").mkdir()
    try:
        hidden.rename(folder)
    except OSError as problem:
        shutil.rmtree(hidden, ignore_errors=True)
        if problem.errno in (errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR):
            raise InstanceTaken(f"{folder} belongs to another simulator") from None
        raise


def _remove(folder: Path) -> None:
    """Remove a folder; a process that is killed meanwhile leaves one that the next run knows as its own."""
    try:
        hidden = Path(tempfile.mkdtemp(prefix=HIDDEN, dir=folder.parent))
        folder.rename(hidden)
    except OSError:
        hidden = folder
    shutil.rmtree(hidden, ignore_errors=True)


def _own_folder(shared: Path) -> Path:
    """Return this user's folder, with the name that libraries expect unless another user owns it.

    In containers the variable USER is often unset, so that all users share one name.
    """
    user = os.environ.get("USER") or os.environ.get("USERNAME") or "default"
    own = shared / user
    if not own.exists() or own.lstat().st_uid == os.getuid():
        return own
    other = shared / f"{user}-{os.getuid()}"
    _LOG.warning(
        "%s belongs to another user; using %s instead. Controllers that you start yourself need "
        "WEBOTS_INSTANCE_PATH, or the same variable USER here and there",
        own,
        other,
    )
    return other


def _check_own(folder: Path) -> None:
    """Check the owner: another user with write access could take the place of a controller."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise PermissionError(errno.EACCES, "the folder belongs to another user", str(folder))
    if found.st_mode & 0o077:
        folder.chmod(0o700)


def _below(folder: Path, prefix: str = "") -> list[Path]:
    try:
        return [folder / name for name in sorted(os.listdir(folder)) if name.startswith(prefix)]
    except OSError:
        return []


def _remove_stale(folder: Path) -> None:
    """Remove a folder of this program and user if its process has ended, or could not complete or remove it.

    Only who holds the lock makes and removes folders, so that none is half made now.
    """
    try:
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
            return
    except OSError:
        return
    if folder.name.startswith(HIDDEN) or _has_ended(_owner(folder)):
        _remove(folder)


def _owner(folder: Path) -> str:
    """Return the signature of a folder's process; "" if it is none of this program's."""
    try:
        return (folder / OWNER).read_text("ascii", "replace")
    except OSError:
        return ""


def _has_ended(signature: str) -> bool:
    """True if a signature is that of a process of this program that has ended, as far as can be known."""
    number = signature.partition(" ")[0]
    try:
        return bool(signature) and not (number.isdigit() and _signature(int(number)) == signature)
    except OSError:
        return False


def _signature(process: int) -> str:
    """Return number and start time of a process, a pair that is never reused; "" if it does not exist.

    Where there is no /proc, as on macOS and in plain roots, the number has to do.

    Raises:
        OSError: nothing can be learned about it now, as when too many files are open.
    """
    try:
        # The name in parentheses may contain anything; the start time is the 20th field after it.
        text = (PROCESSES / str(process) / "stat").read_text("utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return f"{process} ?" if not (PROCESSES / "self").exists() and _exists(process) else ""
    return f"{process} {text.rpartition(')')[2].split()[19]}"


def _exists(process: int) -> bool:
    try:
        os.kill(process, 0)  # sends nothing
    except ProcessLookupError:
        return False
    except PermissionError:  # it is another user's
        return True
    return True
