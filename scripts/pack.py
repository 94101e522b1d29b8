"""Pack files into a .tar.xz archive that depends on nothing but their names and content.

python scripts/pack.py ARCHIVE FOLDER LIST

LIST is a file with a path below FOLDER in each line. Owners, times and permissions of the files are not kept.
The build runs this script, so it needs only Python's standard library.
"""

from __future__ import annotations

import io
import lzma
import sys
import tarfile
from pathlib import Path

__all__ = ["pack"]


def pack(archive: Path, folder: Path, names: list[str]) -> None:
    """Write the archive with the named files below the folder.

    Raises:
        OSError: a file cannot be read, or the archive cannot be written.
    """
    with (
        lzma.open(archive, "wb", preset=9 | lzma.PRESET_EXTREME) as file,
        tarfile.open(fileobj=file, mode="w", format=tarfile.GNU_FORMAT) as packed,
    ):
        for name in sorted(names):
            content = (folder / name).read_bytes()
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            packed.addfile(entry, io.BytesIO(content))


if __name__ == "__main__":
    pack(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]).read_text(encoding="utf-8").splitlines())
