"""ZIP archives of strangers: unpacks files and folders, within limits."""

from __future__ import annotations

import os
import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath

MEGABYTE = CHUNK = 1 << 20
LONGEST_NAME = 255
"""Bytes of a file's name."""
DEEPEST = 32
"""Folders in folders."""


class ArchiveError(ValueError):
    """Raised for an archive that cannot be used; the message says why."""


def unpack(archive: Path, folder: Path, most_bytes: int, most_files: int) -> None:
    """Unpack an archive into a new folder; links and files with a path to elsewhere are left out.

    Args:
        archive: a ZIP file.
        folder: is made.
        most_bytes: maximum size of the content, by counting it: an archive may lie about sizes.
        most_files: maximum number of files and folders.

    Raises:
        ArchiveError: it is no archive, is encrypted, or exceeds a limit.
    """
    folder.mkdir(parents=True)
    left = most_bytes
    try:
        if archive.stat().st_size > most_bytes:
            raise ArchiveError(f"the archive has more than {most_bytes // MEGABYTE} MB")
        with zipfile.ZipFile(archive) as opened:
            members = opened.infolist()
            if len(members) > most_files:
                raise ArchiveError(f"the archive has more than {most_files} files")
            for member in members:
                path = _path(member)
                if path is None:
                    continue
                target = folder / path
                if member.is_dir():
                    target.mkdir(parents=True, exist_ok=True)
                    continue
                left -= _extract(opened, member, target, left)
                if left < 0:
                    raise ArchiveError(f"the archive contains more than {most_bytes // MEGABYTE} MB")
    except ArchiveError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as problem:
        raise ArchiveError(f"the archive cannot be read: {problem}") from None
    except RuntimeError:
        raise ArchiveError("the archive is encrypted") from None
    except OSError as problem:
        raise ArchiveError(f"the archive cannot be unpacked: {problem.strerror}") from None


def _path(member: zipfile.ZipInfo) -> Path | None:
    """Return where a member belongs; None if it is no file or folder, or belongs elsewhere."""
    mode = member.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        return None
    path = PurePosixPath(member.filename.replace("\\", "/"))
    is_safe = 0 < len(path.parts) <= DEEPEST and not path.is_absolute() and ".." not in path.parts
    if not is_safe or any(len(os.fsencode(part)) > LONGEST_NAME for part in path.parts):
        return None
    return Path(path)


def _extract(opened: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path, most_bytes: int) -> int:
    """Write a member; return its size, or one above the maximum as soon as it is known to be larger."""
    target.parent.mkdir(parents=True, exist_ok=True)
    size = 0
    with opened.open(member) as content, target.open("wb") as file:
        while chunk := content.read(CHUNK):
            size += len(chunk)
            if size > most_bytes:
                return most_bytes + 1
            file.write(chunk)
    return size
