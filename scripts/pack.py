"""Pack files into an archive that depends on nothing but their names and content.

python scripts/pack.py ARCHIVE FOLDER LIST

LIST is a file with a path below FOLDER in each line. Owners, times and permissions of the files are not kept.
The archive has a line with size and name of each file, an empty one, and the content of all files, compressed
as a whole: the headers of tar would take a tenth of the space. Pixels of PNG files are stored, not
compressed: the archive compresses them better than the files do.
The build runs this script, so it needs only Python's standard library.
"""

from __future__ import annotations

import lzma
import struct
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

__all__ = ["pack", "with_plain_pixels"]

SIGNATURE = b"\x89PNG\r\n\x1a\n"
TEXT = {
    "id": lzma.FILTER_LZMA2,
    "preset": 9 | lzma.PRESET_EXTREME,
    "dict_size": 1 << 22,  # more than any archive has; unpacking takes that much memory
    "lc": 4,
    "lp": 0,
    "pb": 0,
}
"""The filter: for text, where neighbouring letters say more than the place in a word of four bytes."""


def pack(archive: Path, folder: Path, names: list[str]) -> None:
    """Write the archive with the named files below the folder.

    Raises:
        OSError: a file cannot be read, or the archive cannot be written.
    """
    files = {name: with_plain_pixels((folder / name).read_bytes()) for name in sorted(names, key=_by_kind)}
    index = "".join(f"{len(content)} {name}\n" for name, content in files.items())
    with lzma.open(archive, "wb", filters=[TEXT]) as file:
        file.write(index.encode() + b"\n" + b"".join(files.values()))


def _by_kind(name: str) -> tuple[str, str]:
    return Path(name).suffix, name


def with_plain_pixels(content: bytes) -> bytes:
    """Return a PNG file with the same pixels, which are not compressed; other content as it is.

    Source: PNG specification (third edition), 5.3 and 10.
    """
    if not content.startswith(SIGNATURE):
        return content
    chunks = list(_chunks(content))
    pixels = zlib.decompress(b"".join(data for kind, data in chunks if kind == b"IDAT"))
    first = next(i for i, (kind, _) in enumerate(chunks) if kind == b"IDAT")
    others = [chunk for chunk in chunks if chunk[0] != b"IDAT"]
    others.insert(first, (b"IDAT", zlib.compress(pixels, 0)))
    return SIGNATURE + b"".join(_chunk(kind, data) for kind, data in others)


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = len(SIGNATURE)
    while place < len(content):
        (size,) = struct.unpack_from(">I", content, place)
        yield content[place + 4 : place + 8], content[place + 8 : place + 8 + size]
        place += 12 + size


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


if __name__ == "__main__":
    pack(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]).read_text(encoding="utf-8").splitlines())
