"""Projects that people open in a page: zip archives, checked before anything is written."""

from __future__ import annotations

import stat
import zipfile
from io import BytesIO
from pathlib import Path, PurePosixPath

__all__ = ["ProjectError", "unpack", "worlds_in"]

MOST_FILES = 5000
MOST_BYTES = 256 * 2**20
"""Of all unpacked files together."""


class ProjectError(ValueError):
    """An archive that cannot be opened; the message says why and what is allowed."""


def unpack(data: bytes, folder: Path) -> None:
    """Write the files of a zip archive into a folder, if all of them are allowed.

    Raises:
        ProjectError: it is damaged or encrypted, too large, or has names that lead outside of the folder.
    """
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            files = [one for one in archive.infolist() if not one.is_dir()]
            _check(files)
            for one in files:
                _write(archive, one, folder)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, EOFError, NotImplementedError) as problem:
        raise ProjectError(f"this is not a complete zip archive: {problem}") from None
    except RuntimeError:  # zipfile's error for encrypted files
        raise ProjectError("the archive is encrypted; pack it without a password") from None


def _check(files: list[zipfile.ZipInfo]) -> None:
    if len(files) > MOST_FILES:
        raise ProjectError(f"the archive has {len(files)} files; allowed: {MOST_FILES}")
    size = sum(one.file_size for one in files)
    if size > MOST_BYTES:
        raise ProjectError(f"the archive unpacks to {size >> 20} MiB; allowed: {MOST_BYTES >> 20} MiB")
    for one in files:
        path = PurePosixPath(one.filename)
        if path.is_absolute() or ".." in path.parts or "\\" in one.filename or ":" in path.parts[0]:
            raise ProjectError(f"{one.filename!r} lies outside of the archive's folder")
        if stat.S_ISLNK(one.external_attr >> 16):
            raise ProjectError(f"{one.filename!r} is a link; pack the file itself")


def _write(archive: zipfile.ZipFile, one: zipfile.ZipInfo, folder: Path) -> None:
    """Write a file; the size that its entry declares is not exceeded, whatever it unpacks to."""
    with archive.open(one) as source:
        content = source.read(one.file_size + 1)
    if len(content) > one.file_size:
        raise ProjectError(f"{one.filename!r} is larger than the archive says")
    target = folder / one.filename
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)


def worlds_in(folder: Path) -> list[str]:
    """Return the worlds of a project, relative to its folder, sorted."""
    return sorted(
        str(one.relative_to(folder)) for one in folder.rglob("*.wbt") if not one.name.startswith(".")
    )
