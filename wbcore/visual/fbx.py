"""Binary FBX files as a tree of records (published description: Blender's notes on the FBX binary format)."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wbridge.wbcore.physics.meshes import MeshError

__all__ = ["Record", "read_fbx"]

MAGIC = b"Kaydara FBX Binary  \0\x1a\0"
FIRST_WIDE = 7500
"""The first version with 64-bit sizes."""
DEPTH = 32
MOST_RECORDS = 200_000
MOST_NUMBERS = 20_000_000
SCALARS = {"C": "<b", "Y": "<h", "I": "<i", "F": "<f", "D": "<d", "L": "<q"}
ARRAYS = {"f": "<f4", "d": "<f8", "l": "<i8", "i": "<i4", "b": "<i1", "c": "<i1"}


@dataclass(slots=True)
class Record:
    """A record: numbers, texts (bytes) and arrays, and the records in it."""

    name: str
    values: list[Any] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)

    def all(self, name: str) -> list[Record]:
        """Return the records with a name."""
        return [record for record in self.records if record.name == name]

    def first(self, name: str) -> Record | None:
        """Return the first record with a name."""
        return next((record for record in self.records if record.name == name), None)

    def array(self, name: str) -> np.ndarray | None:
        """Return the array in the first record with a name; None without one."""
        record = self.first(name)
        value = record.values[0] if record is not None and record.values else None
        return value if isinstance(value, np.ndarray) else None

    def text(self, name: str) -> str:
        """Return the text in the first record with a name."""
        record = self.first(name)
        value = record.values[0] if record is not None and record.values else b""
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""


def read_fbx(data: bytes) -> Record:
    """Return the top of the tree.

    Raises:
        MeshError: it is not a binary FBX file, damaged, or too large.
    """
    if not data.startswith(MAGIC):
        raise MeshError("not a binary FBX file; export the model as binary FBX")
    try:
        (version,) = struct.unpack_from("<I", data, len(MAGIC))
        reader = _Reader(data, version)
        return Record("", [], reader.records(len(MAGIC) + 4, len(data), 0))
    except (struct.error, zlib.error, ValueError, OverflowError) as problem:
        raise (
            problem if isinstance(problem, MeshError) else MeshError(f"damaged FBX file: {problem}")
        ) from problem


class _Reader:
    def __init__(self, data: bytes, version: int) -> None:
        self._data = data
        self._head = "<QQQB" if version >= FIRST_WIDE else "<IIIB"
        self._count = self._numbers = 0

    def records(self, at: int, end: int, depth: int) -> list[Record]:
        """Return the records from one place to another; a record without a size ends them."""
        size = struct.calcsize(self._head)
        children: list[Record] = []
        while at + size <= end:
            stop, count, _, letters = struct.unpack_from(self._head, self._data, at)
            if stop == 0:
                break
            self._count += 1
            if depth > DEPTH or self._count > MOST_RECORDS or not at + size <= stop <= end:
                raise MeshError("records of the FBX file are damaged, or there are too many")
            at += size
            record = Record(self._data[at : at + letters].decode("utf-8", "replace"))
            at += letters
            for _ in range(count):
                value, at = self._value(at)
                record.values.append(value)
            record.records = self.records(at, stop, depth + 1) if at < stop else []
            children.append(record)
            at = stop
        return children

    def _value(self, at: int) -> tuple[object, int]:
        kind = chr(self._data[at]) if at < len(self._data) else ""
        at += 1
        if kind in SCALARS:
            layout = SCALARS[kind]
            return struct.unpack_from(layout, self._data, at)[0], at + struct.calcsize(layout)
        if kind in ("S", "R"):
            (length,) = struct.unpack_from("<I", self._data, at)
            return self._data[at + 4 : at + 4 + length], at + 4 + length
        if kind in ARRAYS:
            return self._array(kind, at)
        raise MeshError(f"a value of the FBX file has an unknown type {kind!r}")

    def _array(self, kind: str, at: int) -> tuple[np.ndarray, int]:
        length, encoding, size = struct.unpack_from("<III", self._data, at)
        layout = np.dtype(ARRAYS[kind])
        self._numbers += length
        if self._numbers > MOST_NUMBERS:
            raise MeshError(f"the FBX file has more than {MOST_NUMBERS:,} numbers")
        at += 12
        size = size if encoding else length * layout.itemsize
        data = self._data[at : at + size]
        if encoding:
            data = zlib.decompressobj().decompress(data, length * layout.itemsize)
        if len(data) < length * layout.itemsize:
            raise MeshError("an array of the FBX file is truncated")
        return np.frombuffer(data, layout, length), at + size
