"""Safe reading of users' files: regular files only, of limited size, as UTF-8."""

from __future__ import annotations

import codecs
import os
import stat
from contextlib import suppress
from pathlib import Path

MAX_BYTES = 256 * 1024 * 1024
UTF16_MARKS = codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE


class UnreadableError(Exception):
    """A file that cannot be read; the text gives the reason and a remedy."""


def read_text(path: str | Path, limit: int = MAX_BYTES) -> tuple[str, str]:
    """Return the text of a file, and a remark for the user ("" if there is none).

    A file that is not UTF-8 is read as Latin-1, which older editors wrote, or as UTF-16 if it starts with a
    byte order mark, as some shells and editors of Windows write it.

    Raises:
        UnreadableError: missing, not a regular file (a pipe could block), or too large.
    """
    data = _read_bytes(Path(path), limit)
    if data.startswith(UTF16_MARKS):
        with suppress(UnicodeDecodeError):
            return data.decode("utf-16"), "UTF-16, read as that; Webots reads UTF-8 only, so save it as UTF-8"
    try:
        return data.decode("utf-8"), ""
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        return data.decode(
            "latin-1"
        ), f"not UTF-8 (byte {data[problem.start]:#04x} in line {line}); read as Latin-1"


def _read_bytes(path: Path, limit: int) -> bytes:
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except OSError as problem:
        raise UnreadableError(f"cannot be opened: {problem.strerror}") from None
    except ValueError as problem:
        raise UnreadableError(f"is not a valid path: {problem}") from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableError("is not a regular file")
        if status.st_size > limit:
            raise UnreadableError(f"is larger than {limit // 2**20} MiB")
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(status.st_size)  # not more, as the file may be growing
    finally:
        os.close(descriptor)


def file_index(folder: Path, suffix: str, limit: int = 20_000) -> dict[str, Path]:
    """Return the files with this suffix below a folder, by stem; files nearer to the top take precedence."""
    found: dict[str, Path] = {}
    seen = 0
    level = [folder]
    while level and seen < limit:
        deeper: list[Path] = []
        for node in level:
            for entry in _entries(node):
                seen += 1
                if entry.is_dir(follow_symlinks=False):
                    deeper.append(Path(entry.path))
                elif entry.name.endswith(suffix):
                    found.setdefault(entry.name[: -len(suffix)], Path(entry.path))
        level = deeper
    return found


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []
