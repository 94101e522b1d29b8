"""Folders for wbridge's files."""

from __future__ import annotations

import os
import stat
from pathlib import Path

__all__ = ["cache_folder", "optional_cache_folder"]

_told: set[str] = set()


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

    folder = Path(tempfile.gettempdir(), f"wbridge-{os.getuid()}")
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to another user; set WBRIDGE_CACHE to a folder of yours")
    return folder
