"""How the archives of the site are packed: a zip archive that is not compressed, compressed as a whole.

Files that resemble each other, such as models and Python modules, then take less than if each was compressed
alone, and a server that does not compress sends no more than others.
"""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Iterable
from pathlib import Path

__all__ = ["ENDING", "EPOCH", "open_packed", "packed", "write_packed"]

ENDING = ".zip.gz"
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of all entries: equal files make equal archives."""


def packed(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return an archive of files, by names and contents; equal files make equal archives."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in files:
            archive.writestr(zipfile.ZipInfo(name, EPOCH), content)
    return gzip.compress(data.getvalue(), mtime=0)


def write_packed(folder: Path, name: str, files: Iterable[tuple[str, bytes]]) -> None:
    """Write an archive of files into a folder; `name` is without its ending."""
    (folder / f"{name}{ENDING}").write_bytes(packed(files))


def open_packed(data: bytes) -> zipfile.ZipFile:
    """Return the archive in packed data; some servers let browsers unpack the outer part."""
    return zipfile.ZipFile(io.BytesIO(gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data))
