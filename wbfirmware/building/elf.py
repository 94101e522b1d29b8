"""Programs in ELF format: their sections and functions.

Source: Tool Interface Standard, Executable and Linking Format, version 1.2; for 64 bits, the System V ABI.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

MAGIC = b"\x7fELF"
WIDE, BIG = 2, 2
"""Class and byte order in the header: 64 bits, big-endian."""
FUNCTION = 2
"""Type of a symbol."""
NO_BYTES = 8
"""Type of sections without bytes in the file."""
WRITTEN, LOADED, COMPRESSED = 0x1, 0x2, 0x800
"""Flags of a section."""
ARM = 40
"""The machine type whose Thumb functions have odd addresses."""


class ElfError(ValueError):
    """Raised if a file is not a supported ELF program."""


class Function(NamedTuple):
    """A function in a program."""

    name: str
    address: int
    size: int
    """Bytes."""


class Sizes(NamedTuple):
    """Bytes of a program: what it reads, the variables with an initial value, and the other variables."""

    text: int
    data: int
    bss: int


class _Section(NamedTuple):
    name: int
    kind: int
    flags: int
    address: int
    at: int
    size: int


class _Symbol(NamedTuple):
    name: str
    value: int
    size: int
    info: int
    section: int


class Elf:
    """A program of a board or of this computer."""

    def __init__(self, path: Path) -> None:
        """
        Raises:
            ElfError: the file has another format.
            OSError: the file cannot be read.
        """
        self._data = path.read_bytes()
        if self._data[:4] != MAGIC:
            raise ElfError(f"{path}: expected a program in ELF format")
        try:
            self._read()
        except (struct.error, IndexError, ValueError) as problem:
            raise ElfError(f"{path}: its sections cannot be read: {problem}") from None

    def section(self, name: str) -> bytes:
        """Return the bytes of a section; empty if it is missing or compressed."""
        header = self._sections.get(name)
        return b"" if header is None or header.flags & COMPRESSED else self._bytes(header)

    def bytes_at(self, address: int, size: int) -> bytes:
        """Return bytes loaded at an address; empty if the program has none there."""
        at = self._place(address, size)
        return b"" if at is None else self._data[at : at + size]

    def with_bytes(self, address: int, data: bytes) -> bytes:
        """Return the file with other bytes at an address.

        Raises:
            ElfError: the program has no bytes there.
        """
        at = self._place(address, len(data))
        if at is None:
            raise ElfError(f"the program has no {len(data)} bytes at {address:#x}")
        return self._data[:at] + data + self._data[at + len(data) :]

    def _place(self, address: int, size: int) -> int | None:
        """Return where the bytes at an address are in the file; None if the program has none there."""
        for path in self._loaded:
            at = address - path.address
            if 0 <= at <= path.size - size:
                return path.at + at
        return None

    @property
    def sizes(self) -> Sizes:
        """Return how many bytes the program takes."""
        allocated = [section for section in self._sections.values() if section.flags & LOADED]
        stored = [section for section in allocated if section.kind != NO_BYTES]
        data = sum(section.size for section in stored if section.flags & WRITTEN)
        bss = sum(section.size for section in allocated if section.kind == NO_BYTES)
        return Sizes(sum(section.size for section in stored) - data, data, bss)

    @property
    def functions(self) -> list[Function]:
        """Return the functions that have a symbol with a size, by address."""
        symbols = [
            Function(each.name, each.value & ~1 if self.machine == ARM else each.value, each.size)
            for each in self._symbols()
            if each.info & 15 == FUNCTION and each.size
        ]
        return sorted(symbols, key=lambda symbol: symbol.address)

    @property
    def globals(self) -> dict[str, int]:
        """Return the addresses of functions and variables that are not local to a file."""
        return {each.name: each.value for each in self._symbols() if each.info >> 4 and each.section}

    def _symbols(self) -> Iterator[_Symbol]:
        names, table = self.section(".strtab"), self.section(".symtab")
        layout = self._order + ("IBBHQQ" if self.is_wide else "IIIBBH")
        for at in range(0, len(table) - struct.calcsize(layout) + 1, struct.calcsize(layout)):
            if self.is_wide:
                name, info, _, section, value, size = struct.unpack_from(layout, table, at)
            else:
                name, value, size, info, _, section = struct.unpack_from(layout, table, at)
            yield _Symbol(text_at(names, name), value, size, info, section)

    def _read(self) -> None:
        data = self._data
        self.is_wide = data[4] == WIDE
        self.order = "big" if data[5] == BIG else "little"
        self._order = ">" if self.order == "big" else "<"
        self.machine: int = struct.unpack_from(f"{self._order}H", data, 18)[0]
        """The processor; see ARM."""
        self.entry: int
        """The entry point."""
        head = struct.unpack_from(f"{self._order}{'QQQIHHHHHH' if self.is_wide else 'IIIIHHHHHH'}", data, 24)
        self.entry, table, size, count, named = head[0], head[2], head[7], head[8], head[9]
        sections = [self._head(table + k * size) for k in range(count)]
        self._loaded = [
            section for section in sections if section.flags & LOADED and section.kind != NO_BYTES
        ]
        names = self._bytes(sections[named]) if sections else b""
        self._sections = {text_at(names, section.name): section for section in sections}

    def _head(self, at: int) -> _Section:
        words = struct.unpack_from(f"{self._order}{'IIQQQQ' if self.is_wide else 'IIIIII'}", self._data, at)
        return _Section(*words)

    def _bytes(self, section: _Section) -> bytes:
        return b"" if section.kind == NO_BYTES else self._data[section.at : section.at + section.size]


def text_at(data: bytes, at: int) -> str:
    """Return the zero-terminated string at an offset."""
    return data[at : data.index(0, at)].decode("utf-8", "surrogateescape")
