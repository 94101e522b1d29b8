"""Projects that people open in a page: zip archives and folders, checked before anything is written."""

from __future__ import annotations

import stat
import zipfile
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path, PurePosixPath

__all__ = ["RUBRIC", "ProjectError", "unpack", "worlds_in", "write_files", "zipped"]

RUBRIC = "rubric.toml"
"""The file beside the folder `worlds` that makes a project an exercise, see wbridge.live.exercise."""

MOST_FILES = 5000
MOST_BYTES = 256 * 2**20
"""Of all unpacked files together."""


class ProjectError(ValueError):
    """A project that cannot be opened; the message says why and what is allowed."""


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


def write_files(files: Sequence[tuple[str, bytes]], folder: Path) -> None:
    """Write the files of a project (name, content) into a folder, if all of them are allowed.

    Raises:
        ProjectError: they are too many or too large, or have names that lead outside of the folder.
    """
    _check_sizes([len(content) for _, content in files])
    _check_names(name for name, _ in files)
    for name, content in files:
        _write_file(folder / name, content)


def _check(files: list[zipfile.ZipInfo]) -> None:
    _check_sizes([one.file_size for one in files])
    _check_names(one.filename for one in files)
    for one in files:
        if stat.S_ISLNK(one.external_attr >> 16):
            raise ProjectError(f"{one.filename!r} is a link; pack the file itself")


def _check_sizes(sizes: list[int]) -> None:
    if len(sizes) > MOST_FILES:
        raise ProjectError(f"the project has {len(sizes)} files; allowed: {MOST_FILES}")
    if sum(sizes) > MOST_BYTES:
        raise ProjectError(f"the project unpacks to {sum(sizes) >> 20} MiB; allowed: {MOST_BYTES >> 20} MiB")


def _check_names(names: Iterable[str]) -> None:
    for name in names:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or "\\" in name or not path.parts or ":" in path.parts[0]:
            raise ProjectError(f"{name!r} lies outside of the project's folder")


def _write(archive: zipfile.ZipFile, one: zipfile.ZipInfo, folder: Path) -> None:
    """Write a file; the size that its entry declares is not exceeded, whatever it unpacks to."""
    with archive.open(one) as source:
        content = source.read(one.file_size + 1)
    if len(content) > one.file_size:
        raise ProjectError(f"{one.filename!r} is larger than the archive says")
    _write_file(folder / one.filename, content)


def _write_file(target: Path, content: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)


def worlds_in(folder: Path) -> list[str]:
    """Return the worlds of a project, relative to its folder, sorted."""
    return sorted(
        str(one.relative_to(folder)) for one in folder.rglob("*.wbt") if not one.name.startswith(".")
    )


def zipped(root: Path, folders: Iterable[Path]) -> bytes:
    """Return the files of folders as a zip archive, without what Python keeps of programs.

    Args:
        root: their names are relative to it.
        folders: `root`, or folders in it.
    """
    data = BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for folder in folders:
            for file in sorted(folder.rglob("*")):
                if file.is_file() and "__pycache__" not in file.parts:
                    archive.write(file, file.relative_to(root))
    return data.getvalue()
