"""Reads the parts of a recording that a stranger may have made, and nothing else of its page."""

from __future__ import annotations

import binascii
import re
import zlib
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

__all__ = ["Part", "parts_of"]

KINDS = ("head", "scene", "file", "signals", "frames", "values", "lines", "end")
"""Those of docs/recordings.md."""
MOST_BYTES = 1 << 28
"""Size of a part's content."""
MOST_BYTES_OF_ALL = 1 << 32
"""Size of the contents of all parts: no browser shows more, and to unpack it takes 10 s."""
CHUNK = 1 << 20
_PART = re.compile(
    rb'<script type="text/plain" data-part="(\w{1,20})" data-size="(\d{1,12})"'
    rb'((?: data-\w{1,20}="[^"&<>]{0,4096}")*)>([A-Za-z0-9+/=]*)</script>'
)
_ATTRIBUTE = re.compile(r' data-(\w+)="([^"]*)"')


class Part(NamedTuple):
    """A part as it is in a page."""

    kind: str
    text: str
    """Base64 of compressed bytes."""
    attributes: dict[str, str]

    def content(self) -> bytes:
        """Return the bytes of the part."""
        return zlib.decompress(b64decode(self.text))


def parts_of(path: Path) -> Iterator[Part]:
    """Yield the whole parts of a page, in their order. Parts that are damaged, of other kinds, or with more
    than MOST_BYTES bytes are left out, and so is everything between parts.

    Raises:
        OSError: the file cannot be read.
        ValueError: they have more than MOST_BYTES_OF_ALL bytes.
    """
    total = 0
    with path.open("rb") as file:
        for line in file:
            for found in _PART.finditer(line):
                kind, text = found[1].decode(), found[4].decode()
                if kind not in KINDS or len(text) != int(found[2]):
                    continue
                size, is_whole = _unpacked_size(text)
                total += size
                if total > MOST_BYTES_OF_ALL:
                    raise ValueError(f"its parts unpack to more than the allowed {MOST_BYTES_OF_ALL:,} bytes")
                if is_whole:
                    attributes = dict(_ATTRIBUTE.findall(found[3].decode("utf-8", "replace")))
                    yield Part(kind, text, attributes)


def _unpacked_size(text: str) -> tuple[int, bool]:
    """Unpack a part without keeping its content; its size, and whether it is whole and not too large."""
    unpacked, size = zlib.decompressobj(), 0
    try:
        data = b64decode(text, validate=True)
        while not unpacked.eof and size <= MOST_BYTES:
            piece = unpacked.decompress(data, CHUNK)
            data = unpacked.unconsumed_tail
            if not piece and not data:
                return size, False
            size += len(piece)
    except (binascii.Error, zlib.error):
        return size, False
    return size, unpacked.eof and size <= MOST_BYTES
