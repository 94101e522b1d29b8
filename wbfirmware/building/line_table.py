"""The source line of each instruction, from the line table of the debug information.

Source: DWARF Debugging Information Format, version 2 to 5, chapter "Line Number Information". Compilers for
boards write different versions, and their tools print different parts, so the table is read here.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from wbridge.wbfirmware.building.elf import Elf, text_at

SECTION = ".debug_line"
PATH, FOLDER = 1, 2
"""Contents of a version 5 file entry."""
STRING, STRP, LINE_STRP, UDATA, BLOCK = 0x08, 0x0E, 0x1F, 0x0F, 0x09
FIXED = {0x0B: 1, 0x05: 2, 0x06: 4, 0x07: 8, 0x1E: 16}
"""Sizes of the other forms, in bytes."""
COPY, ADVANCE_PC, ADVANCE_LINE, SET_FILE, NEGATE, CONST_ADD_PC, FIXED_ADVANCE = 1, 2, 3, 4, 6, 8, 9
END, SET_ADDRESS = 1, 2


class Row(NamedTuple):
    """From this address up to the next row, instructions belong to a line."""

    file: str
    """Relative to the project's folder, or absolute for a library."""
    line: int
    address: int
    begins: bool
    """A statement begins here."""
    owns: bool
    """True if there is an instruction before the next row."""


class _Reader:
    """Reads numbers from bytes in sequence."""

    def __init__(self, data: bytes, order: str, at: int = 0) -> None:
        self.data, self.at, self._order = data, at, order

    def number(self, size: int, signed: bool = False) -> int:
        self.at += size
        part = self.data[self.at - size : self.at]
        return int.from_bytes(part, "big" if self._order == "big" else "little", signed=signed)

    def leb(self, signed: bool = False) -> int:
        """Read a LEB128 number: seven bits per byte, the lowest first."""
        value = shift = 0
        while True:
            byte = self.number(1)
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value - (1 << shift) if signed and byte & 0x40 else value

    def text(self) -> str:
        name = text_at(self.data, self.at)
        self.at = self.data.index(0, self.at) + 1
        return name


class _Unit(NamedTuple):
    """The header of one unit's table."""

    least: int
    """Bytes of the shortest instruction."""
    begins: bool
    base: int
    span: int
    first: int
    """Special opcodes."""
    lengths: list[int]
    """Numbers of operands of the standard opcodes."""
    files: list[str]


def line_rows(program: Path) -> list[Row]:
    """Return the line table of a program, without functions removed by the linker.

    Returns:
        Empty if the program has no debug information.

    Raises:
        ElfError: the file is not a program.
        OSError: the file cannot be read.
    """
    elf = Elf(program)
    reader = _Reader(elf.section(SECTION), elf.order)
    rows: list[Row] = []
    while reader.at < len(reader.data):
        width = 4
        size = reader.number(4)
        if size == 0xFFFFFFFF:
            width, size = 8, reader.number(8)
        end = reader.at + size
        unit = _head(elf, reader, width)
        for sequence in _sequences(reader, end, unit):
            rows += _rows(sequence)
        reader.at = end
    return rows


def _head(elf: Elf, reader: _Reader, width: int) -> _Unit:
    version = reader.number(2)
    if version >= 5:
        reader.number(2)  # sizes of addresses and segment selectors
    program = reader.number(width) + reader.at
    least = reader.number(1)
    if version >= 4:
        reader.number(1)  # maximum operations per instruction
    begins, base, span, first = (
        reader.number(1),
        reader.number(1, signed=True),
        reader.number(1),
        reader.number(1),
    )
    lengths = [reader.number(1) for _ in range(first - 1)]
    files = _new_files(elf, reader, width) if version >= 5 else _old_files(reader)
    reader.at = program
    return _Unit(least, bool(begins), base, span, first, lengths, files)


def _old_files(reader: _Reader) -> list[str]:
    """Read the file table of versions 2 to 4: it counts from 1, and folder 0 is the compiler's."""
    folders = [""]
    while folder := reader.text():
        folders.append(folder)
    files = [""]
    while name := reader.text():
        folder = folders[reader.leb()]
        reader.leb(), reader.leb()
        files.append(_joined(folder, name))
    return files


def _new_files(elf: Elf, reader: _Reader, width: int) -> list[str]:
    folders = [path for path, _ in _entries(elf, reader, width)]
    return [_joined(folders[0], folders[number], path) for path, number in _entries(elf, reader, width)]


def _joined(*parts: str) -> str:
    return posixpath.normpath(posixpath.join(*parts))


def _entries(elf: Elf, reader: _Reader, width: int) -> list[tuple[str, int]]:
    """Read a table of version 5: path and folder index of each entry."""
    formats = [(reader.leb(), reader.leb()) for _ in range(reader.number(1))]
    rows = []
    for _ in range(reader.leb()):
        values = {kind: _value(elf, reader, form, width) for kind, form in formats}
        rows.append((str(values[PATH]), int(values.get(FOLDER, 0))))
    return rows


def _value(elf: Elf, reader: _Reader, form: int, width: int) -> str | int:
    if form == STRING:
        return reader.text()
    if form in (STRP, LINE_STRP):
        return text_at(elf.section(".debug_str" if form == STRP else ".debug_line_str"), reader.number(width))
    if form == UDATA:
        return reader.leb()
    if form == BLOCK:
        return reader.number(reader.leb())
    return reader.number(FIXED[form])


class _State(NamedTuple):
    file: int = 1
    line: int = 1
    address: int = 0
    begins: bool = True
    name: str = ""


def _sequences(reader: _Reader, end: int, unit: _Unit) -> Iterator[list[_State]]:
    """Run a unit's line program; return the rows of each sequence, of which the last one is its end."""
    new = _State(begins=unit.begins)
    now, rows = new, list[_State]()
    while reader.at < end:
        code = reader.number(1)
        if code == 0:
            size = reader.leb()
            after, kind = reader.at + size, reader.number(1)
            if kind == SET_ADDRESS:
                now = now._replace(address=reader.number(size - 1))
            elif kind == END:
                yield [*rows, now]
                now, rows = new, []
            reader.at = after
            continue
        now, is_row = _advanced(reader, code, unit, now)
        if is_row:
            rows.append(now._replace(name=unit.files[now.file]))


def _advanced(reader: _Reader, code: int, unit: _Unit, now: _State) -> tuple[_State, bool]:
    """Execute a special or standard opcode; return the state and whether it adds a row."""
    if code >= unit.first:
        step, line = divmod(code - unit.first, unit.span)
        return now._replace(address=now.address + step * unit.least, line=now.line + unit.base + line), True
    if code == COPY:
        return now, True
    if code == ADVANCE_PC:
        return now._replace(address=now.address + reader.leb() * unit.least), False
    if code == ADVANCE_LINE:
        return now._replace(line=now.line + reader.leb(signed=True)), False
    if code == SET_FILE:
        return now._replace(file=reader.leb()), False
    if code == NEGATE:
        return now._replace(begins=not now.begins), False
    if code == CONST_ADD_PC:
        return now._replace(address=now.address + (255 - unit.first) // unit.span * unit.least), False
    if code == FIXED_ADVANCE:
        return now._replace(address=now.address + reader.number(2)), False
    for _ in range(unit.lengths[code - 1]):
        reader.leb()
    return now, False


def _rows(sequence: list[_State]) -> Iterator[Row]:
    """Return the rows of a sequence; none if the linker has removed it, which puts it at address 0."""
    if sequence[0].address == 0:
        return
    for state, after in zip(sequence, sequence[1:], strict=False):
        if state.line:
            yield Row(state.name, state.line, state.address, state.begins, after.address > state.address)
