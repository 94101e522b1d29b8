"""Message layouts: one line of text declares the encoding of a message for both directions.

A layout is a list of fields, `name:type`, separated by spaces. All numbers are little endian and packed.

    u8 i8 u16 i16 u32 i32 f32 f64 bool    numbers of that width
    f64*3                                 a fixed number of them, as one tuple
    str                                   UTF-8 text and one NUL
    lstr16 lstr32                         a length (u16, i32) that counts the NUL, then the text and NUL
    bytes16 bytes32                       a length (u16, i32), then raw bytes
    i32[]  f64*3[]  str[]                 an i32 count, then the elements; `[u8]` names another count
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from wbridge.hal.protocol.errors import ProtocolError

NUMBERS = dict(zip("u8 i8 u16 i16 u32 i32 f32 f64 bool".split(), "BbHhIifd?", strict=True))
Values = tuple[Any, ...]


class Part(Protocol):
    """Reads and writes a part of a message."""

    count: int
    """The number of values."""
    least: int
    """Minimum size in bytes."""

    def read(self, data: bytes, at: int, values: list[object]) -> int:
        """Decode the values at `at`, append them, and return the offset after them."""

    def write(self, out: bytearray, values: Sequence[object]) -> None:
        """Append the encoded values."""


class Numbers:
    """A sequence of single numbers."""

    def __init__(self, formats: str) -> None:
        self.format = formats
        self.struct = struct.Struct("<" + formats)
        self.count, self.least = len(formats), self.struct.size

    def read(self, data: bytes, at: int, values: list[object]) -> int:
        """See `Part.read`."""
        values += self.struct.unpack_from(data, at)
        return at + self.least

    def write(self, out: bytearray, values: Sequence[object]) -> None:
        """See `Part.write`."""
        out += self.struct.pack(*values)


class Vector:
    """A vector of a fixed number of numbers."""

    count = 1

    def __init__(self, format_: str, length: int) -> None:
        self.format = format_ * length
        self.struct = struct.Struct("<" + self.format)
        self.least = self.struct.size

    def read(self, data: bytes, at: int, values: list[object]) -> int:
        """See `Part.read`."""
        values.append(self.struct.unpack_from(data, at))
        return at + self.least

    def write(self, out: bytearray, values: Sequence[Any]) -> None:
        """See `Part.write`."""
        out += self.struct.pack(*values[0])


class Text:
    """A NUL-terminated UTF-8 string."""

    count, least = 1, 1

    def read(self, data: bytes, at: int, values: list[object]) -> int:
        """See `Part.read`."""
        end = data.find(b"\0", at)
        if end < 0 or at > len(data):
            raise ProtocolError("a string has no terminating NUL")
        values.append(data[at:end].decode("utf-8", "replace"))
        return end + 1

    def write(self, out: bytearray, values: Sequence[Any]) -> None:
        """See `Part.write`."""
        out += encoded(values[0])


class SizedBytes:
    """Bytes, or a NUL-terminated string, preceded by their length."""

    count = 1

    def __init__(self, length: str, text: bool) -> None:
        self.struct = struct.Struct("<" + length)
        self.least, self.text = self.struct.size, text

    def read(self, data: bytes, at: int, values: list[object]) -> int:
        """See `Part.read`."""
        (size,) = self.struct.unpack_from(data, at)
        at += self.least
        if not 0 <= size <= len(data) - at:
            raise ProtocolError(f"a length of {size} bytes with {len(data) - at} remaining")
        raw = data[at : at + size]
        values.append(raw.partition(b"\0")[0].decode("utf-8", "replace") if self.text else raw)
        return at + int(size)

    def write(self, out: bytearray, values: Sequence[Any]) -> None:
        """See `Part.write`."""
        raw = encoded(values[0]) if self.text else bytes(values[0])
        out += self.struct.pack(len(raw))
        out += raw


class CountedList:
    """A list of elements of one type, preceded by its length."""

    count = 1

    def __init__(self, length: str, element: Part) -> None:
        self.struct = struct.Struct("<" + length)
        self.least, self.element = self.struct.size, element

    def read(self, data: bytes, at: int, values: list[object]) -> int:
        """See `Part.read`."""
        (count,) = self.struct.unpack_from(data, at)
        at += self.least
        # Check that the data can contain that many elements before reading them.
        if not 0 <= count * self.element.least <= len(data) - at:
            raise ProtocolError(f"a list of {count} elements in {len(data) - at} remaining bytes")
        elements: list[object] = []
        for _ in range(count):
            at = self.element.read(data, at, elements)
        values.append(elements)
        return at

    def write(self, out: bytearray, values: Sequence[Any]) -> None:
        """See `Part.write`."""
        out += self.struct.pack(len(values[0]))
        for item in values[0]:
            self.element.write(out, (item,))


def encoded(text: str) -> bytes:
    """Encode a string with a terminating NUL; it is cut at the first NUL that it contains."""
    return text.partition("\0")[0].encode("utf-8", "replace") + b"\0"


SIMPLE: dict[str, Callable[[], Part]] = {
    "str": Text,
    "lstr16": lambda: SizedBytes("H", True),
    "lstr32": lambda: SizedBytes("i", True),
    "bytes16": lambda: SizedBytes("H", False),
    "bytes32": lambda: SizedBytes("i", False),
}


def part_of(type_: str) -> Part:
    """The part that reads and writes a type."""
    if type_.endswith("]"):
        element, _, count = type_[:-1].partition("[")
        return CountedList(NUMBERS[count or "i32"], part_of(element))
    name, _, length = type_.partition("*")
    if length:
        return Vector(NUMBERS[name], int(length))
    return SIMPLE[name]() if name in SIMPLE else Numbers(NUMBERS[name])


class Layout:
    """The encoding of a message after its code."""

    def __init__(self, text: str = "", *tail: Part, names: tuple[str, ...] = ()) -> None:
        """Compile a layout.

        Args:
            text: fields, `name:type`, separated by spaces.
            tail: additional parts that the text cannot express.
            names: names of the values of these parts.

        Raises:
            KeyError: the text contains an unknown type.
        """
        fields = [word.partition(":") for word in text.split()]
        self.names = tuple(name for name, _, _ in fields) + names
        self.types = None if tail else tuple(type_ for _, _, type_ in fields)
        """Types of the values; None if the text cannot express them."""
        self.parts = join_parts([type_ for _, _, type_ in fields]) + list(tail)
        self.least = sum(part.least for part in self.parts)
        only = self.parts[0] if len(self.parts) == 1 else None
        self._numbers = only.struct if isinstance(only, Numbers) else None
        self._vector = only.struct if isinstance(only, Vector) else None
        self.is_vector = self._vector is not None
        """True if the layout consists of a single vector."""
        self.flat = only.format if isinstance(only, (Numbers, Vector)) else None
        """The numbers as a `struct` format, one letter each; None if there is more than one part."""

    @property
    def is_of_doubles(self) -> bool:
        """True if it has 64-bit numbers, single or in vectors of a fixed length, and nothing else."""
        return all(isinstance(part, (Numbers, Vector)) and set(part.format) == {"d"} for part in self.parts)

    def read(self, data: bytes, at: int = 0) -> tuple[Values, int]:
        """Decode the values at `at`; also return the offset after them.

        Raises:
            ProtocolError: the data is truncated or contains an impossible length.
        """
        try:
            if self._vector:
                return (self._vector.unpack_from(data, at),), at + self.least
            if self._numbers:
                return self._numbers.unpack_from(data, at), at + self.least
            values: list[object] = []
            for part in self.parts:
                at = part.read(data, at, values)
        except struct.error as error:
            raise ProtocolError(f"a message is truncated ({error})") from None
        return tuple(values), at

    def write(self, out: bytearray, values: Sequence[object]) -> None:
        """Append the encoded values.

        Raises:
            ProtocolError: the number, types or sizes of the values do not fit; nothing is appended.
        """
        start, i = len(out), 0
        try:
            for part in self.parts:
                part.write(out, values[i : i + part.count])
                i += part.count
            if i != len(values):
                raise ValueError(f"{len(values)} values for {i} fields")
        except (struct.error, TypeError, ValueError, IndexError, AttributeError) as error:
            del out[start:]
            wanted = ", ".join(self.names) or "none"
            raise ProtocolError(
                f"the values {list(values)!r:.200} do not fit ({error}); expected {wanted}"
            ) from None

    def pack(self, *values: object) -> bytes:
        """The encoded values (see `write`)."""
        out = bytearray()
        self.write(out, values)
        return bytes(out)


def join_parts(types: list[str]) -> list[Part]:
    """One part per type, with consecutive numbers combined."""
    parts: list[Part] = []
    run = ""
    for type_ in [*types, ""]:
        if type_ in NUMBERS:
            run += NUMBERS[type_]
            continue
        if run:
            parts.append(Numbers(run))
            run = ""
        if type_:
            parts.append(part_of(type_))
    return parts
