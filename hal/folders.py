"""Folders for wbridge's files."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = [
    "cache_folder",
    "draft_of",
    "import_folder",
    "lock_file",
    "optional_cache_folder",
    "replacement",
    "sole_builder",
]

_told: set[str] = set()


@contextmanager
def replacement(path: Path) -> Iterator[Path]:
    """Give a draft of a file, which replaces it in one step when the block ends.

    Who reads the file meanwhile gets all of the former or all of the new content. After an error the draft is
    removed, and the file stays.

    Raises:
        OSError: the file cannot be replaced.
    """
    draft = draft_of(path, os.getpid())
    try:
        yield draft
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def draft_of(path: Path, process: int) -> Path:
    """Return the draft of a file that a process writes in `replacement`."""
    return path.with_name(f".{path.name}.{process}.part")


def import_folder() -> Path:
    """The folder in which Python finds `wbridge`, `controller` and `vehicle`: `src` of a checkout, which has
    nothing else, or where packages are installed."""
    parts = Path(__file__).resolve().parent.parent
    if not (parts / "wbridge").is_dir():
        return parts.parent  # installed: the parts are in wbridge
    links = parts / "src"
    return links if (links / "wbridge").is_dir() else parts


def cache_folder() -> Path:
    """The folder for files that can be recreated: $WBRIDGE_CACHE, else wbridge/ in the user's cache folder
    ($XDG_CACHE_HOME or ~/.cache), or wbridge-UID/ in the temporary folder if that is not writable.

    Raises:
        OSError: the temporary folder is not writable either.
    """
    wanted = _wanted()
    why = _why_not(wanted) if wanted is not None else "this user has no home folder"
    if wanted is not None and not why:
        return wanted
    made = _temporary()
    if why not in _told:
        import logging  # start-up: 10 ms, controllers need none

        _told.add(why)
        advice = "set WBRIDGE_CACHE to choose another folder"
        logging.getLogger(__name__).warning("%s; storing files in %s (%s)", why, made, advice)
    return made


def optional_cache_folder() -> Path | None:
    """The folder of `cache_folder` for files that only save time, or None if this user cannot write it."""
    wanted = _wanted()
    return wanted if wanted is not None and not _why_not(wanted) else None


def _wanted() -> Path | None:
    """The user's cache folder, or None for a user without a home folder."""
    if own := os.environ.get("WBRIDGE_CACHE"):
        return Path(own)
    shared = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(shared):  # relative paths are ignored, as the XDG Base Directory Specification requires
        return Path(shared, "wbridge")
    home = os.path.expanduser("~")
    return Path(home, ".cache", "wbridge") if os.path.isabs(home) else None


def _why_not(folder: Path) -> str:
    """The reason why a folder cannot be created or written, or ""."""
    there = folder.absolute()
    while not there.exists() and there != there.parent:
        there = there.parent
    if not there.is_dir():
        return f"{there} is not a folder"
    return "" if os.access(there, os.W_OK | os.X_OK) else f"{there} cannot be written by this user"


def _temporary() -> Path:
    """A temporary folder that belongs to this user only."""
    import tempfile  # start-up: 4 ms, seldom needed

    if sys.platform == "win32":  # where each user has a temporary folder of their own
        folder = Path(tempfile.gettempdir(), "wbridge")
        folder.mkdir(exist_ok=True)
        return folder
    folder = Path(tempfile.gettempdir(), f"wbridge-{os.getuid()}")
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to another user; set WBRIDGE_CACHE to a folder of yours")
    return folder


@contextmanager
def sole_builder(place: Path) -> Iterator[bool]:
    """Wait until no other process builds a file or folder, and give whether it must still be built.

    Several controllers that start at once would all compile the same library. If a process that builds ends
    early, the next one builds.

    Raises:
        OSError: the folder of `place` cannot be written.
    """
    place.parent.mkdir(parents=True, exist_ok=True)
    lock = place.with_name(f"{place.name}.lock")
    file = _locked(lock)
    try:
        yield not place.exists()
    finally:
        if sys.platform == "win32":  # a file that somebody has open stays: who waits for it removes it
            os.close(file)
            with suppress(PermissionError):
                lock.unlink(missing_ok=True)
        else:
            lock.unlink(missing_ok=True)
            os.close(file)


def _locked(lock: Path) -> int:
    """Open and lock a file that whoever holds it removes at the end."""
    while True:
        file = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
        lock_file(file)
        if os.fstat(file).st_nlink:
            return file
        os.close(file)  # removed meanwhile: others lock a new file


def lock_file(file: int) -> None:
    """Wait until no other process has locked an open file or folder, and lock it until it is closed."""
    if sys.platform == "win32":
        import msvcrt  # start-up: only builds need it

        is_locked = False
        while not is_locked:
            try:
                msvcrt.locking(file, msvcrt.LK_LOCK, 1)
                is_locked = True
            except OSError as problem:
                if problem.errno != errno.EDEADLOCK:  # which is raised after ten seconds
                    raise
    else:
        import fcntl  # start-up: only builds need it

        fcntl.flock(file, fcntl.LOCK_EX)
