"""How the archives of the site are packed: a zip archive that is not compressed, compressed as a whole by xz.

Files that resemble each other, such as models and Python modules, then take less than if each was compressed
alone, and a server that does not compress sends no more than others.
"""

from __future__ import annotations

import gzip
import io
import lzma
import zipfile
from collections.abc import Iterable
from pathlib import Path

__all__ = ["ENDING", "EPOCH", "FIRST_ENDING", "open_packed", "packed", "write_packed"]

ENDING = ".zip.xz"
FIRST_ENDING = ".zip.gz"
"""Of what browsers unpack, before there is Python; it takes a third more."""
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of all entries: equal files make equal archives."""


def packed(files: Iterable[tuple[str, bytes]], is_first: bool = False) -> bytes:
    """Return an archive of files, by names and contents; equal files make equal archives."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in files:
            archive.writestr(zipfile.ZipInfo(name, EPOCH), content)
    return gzip.compress(data.getvalue(), mtime=0) if is_first else lzma.compress(data.getvalue())


def write_packed(folder: Path, name: str, files: Iterable[tuple[str, bytes]], ending: str = ENDING) -> None:
    """Write an archive of files into a folder; `name` is without its ending, ENDING or FIRST_ENDING."""
    (folder / f"{name}{ending}").write_bytes(packed(files, ending == FIRST_ENDING))


def open_packed(data: bytes) -> zipfile.ZipFile:
    """Return the archive in packed data; some servers let browsers unpack the outer part."""
    for magic, unpack in ((b"\x1f\x8b", gzip.decompress), (b"\xfd7zXZ", lzma.decompress)):
        if data.startswith(magic):
            return zipfile.ZipFile(io.BytesIO(unpack(data)))
    return zipfile.ZipFile(io.BytesIO(data))
