"""Reads which functions a shared library (ELF, 64 bits, little endian) expects of others."""

from __future__ import annotations

import struct
from pathlib import Path

MAGIC = b"\x7fELF\x02\x01"
DYNSYM = 11
"""Type of the section of dynamic symbols (ELF specification, SHT_DYNSYM)."""
UNDEFINED, WEAK = 0, 2
MOST_BYTES = 1 << 30
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")


def undefined_symbols(library: Path) -> list[str]:
    """Return the names that a library needs from elsewhere, sorted; those it can do without are left out.

    Raises:
        ValueError: the file is not a library of this system.
    """
    if library.stat().st_size > MOST_BYTES:
        raise ValueError("too large for a plugin")
    data = library.read_bytes()
    if not data.startswith(MAGIC):
        raise ValueError("not a library for this system (64-bit ELF); build it from its sources")
    try:
        return sorted(_undefined(data))
    except (struct.error, IndexError):
        raise ValueError("the library is damaged; build it again") from None


def _undefined(data: bytes) -> set[str]:
    (offset,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    sections = [_SECTION.unpack_from(data, offset + size * i) for i in range(count)]
    found = set()
    for _, kind, _, _, start, length, link, _, _, _ in sections:
        if kind != DYNSYM:
            continue
        names = sections[link][4]
        for at in range(start, start + length, _SYMBOL.size):
            name, info, _, section, _, _ = _SYMBOL.unpack_from(data, at)
            if section == UNDEFINED and info >> 4 != WEAK and name:
                end = data.index(b"\0", names + name)
                found.add(data[names + name : end].decode("ascii", "replace"))
    return found
