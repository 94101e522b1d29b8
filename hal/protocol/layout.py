"""Layouts of messages: one line of text declares the bytes of a message for both directions.

A layout is a list of fields, `name:type`, separated by blanks. All numbers are little endian and packed.

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

from hal.protocol.errors import ProtocolError

__all__ = ["Layout", "Part", "join_parts"]

NUMBERS = dict(zip("u8 i8 u16 i16 u32 i32 f32 f64 bool".split(), "BbHhIifd?", strict=True))
Values = tuple[Any, ...]


class Part(Protocol):
    """Reads and writes one stretch of a message."""

    count: int
    """Number of values."""
    least: int
    """Fewest bytes it can have."""

    def read(self, data: bytes, at: int, values: list[Any]) -> int:
        """Append the values that stand at `at`; the place behind them."""

    def write(self, out: bytearray, values: Sequence[Any]) -> None:
        """Append the bytes of the values."""


class Numbers:
    """Single numbers in a row."""

    def __init__(self, formats: str) -> None:
        self.format = formats
        self.struct = struct.Struct("<" + formats)
        self.count, self.least = len(formats), self.struct.size

    def read(self, data: bytes, at: int, values: list[Any]) -> int:
        """See `Part.read`."""
        values += self.struct.unpack_from(data, at)
        return at + self.least

    def write(self, out: bytearray, values: Sequence[Any]) -> None:
        """See `Part.write`."""
        out += self.struct.pack(*values)


class Vector:
    """A fixed number of numbers that belong together."""

    count = 1

    def __init__(self, format_: str, length: int) -> None:
        self.format = format_ * length
        self.struct = struct.Struct("<" + self.format)
        self.least = self.struct.size

    def read(self, data: bytes, at: int, values: list[Any]) -> int:
        """See `Part.read`."""
        values.append(self.struct.unpack_from(data, at))
        return at + self.least

    def write(self, out: bytearray, values: Sequence[Any]) -> None:
        """See `Part.write`."""
        out += self.struct.pack(*values[0])


class Text:
    """UTF-8 text that ends with a NUL."""

    count, least = 1, 1

    def read(self, data: bytes, at: int, values: list[Any]) -> int:
        """See `Part.read`."""
        end = data.find(b"\0", at)
        if end < 0 or at > len(data):
            raise ProtocolError("a text has no end")
        values.append(data[at:end].decode("utf-8", "replace"))
        return end + 1

    def write(self, out: bytearray, values: Sequence[Any]) -> None:
        """See `Part.write`."""
        out += encoded(values[0])


class SizedBytes:
    """Bytes, or text with its NUL, behind their length."""

    count = 1

    def __init__(self, length: str, text: bool) -> None:
        self.struct = struct.Struct("<" + length)
        self.least, self.text = self.struct.size, text

    def read(self, data: bytes, at: int, values: list[Any]) -> int:
        """See `Part.read`."""
        (size,) = self.struct.unpack_from(data, at)
        at += self.least
        if not 0 <= size <= len(data) - at:
            raise ProtocolError(f"a length of {size} bytes where {len(data) - at} are left")
        raw = data[at : at + size]
        values.append(raw.partition(b"\0")[0].decode("utf-8", "replace") if self.text else raw)
        return at + int(size)

    def write(self, out: bytearray, values: Sequence[Any]) -> None:
        """See `Part.write`."""
        raw = encoded(values[0]) if self.text else bytes(values[0])
        out += self.struct.pack(len(raw))
        out += raw


class CountedList:
    """A count and as many elements of one kind."""

    count = 1

    def __init__(self, length: str, element: Part) -> None:
        self.struct = struct.Struct("<" + length)
        self.least, self.element = self.struct.size, element

    def read(self, data: bytes, at: int, values: list[Any]) -> int:
        """See `Part.read`."""
        (count,) = self.struct.unpack_from(data, at)
        at += self.least
        # The count is not believed before the bytes of so many elements are known to be there.
        if not 0 <= count * self.element.least <= len(data) - at:
            raise ProtocolError(f"a list of {count} elements where {len(data) - at} bytes are left")
        elements: list[Any] = []
        for _ in range(count):
            at = self.element.read(data, at, elements)
        values.append(elements)
        return at

    def write(self, out: bytearray, values: Sequence[Any]) -> None:
        """See `Part.write`."""
        out += self.struct.pack(len(values[0]))
        for one in values[0]:
            self.element.write(out, (one,))


def encoded(text: str) -> bytes:
    """A text with its NUL; what stands behind a NUL in it has no place in the protocol."""
    return text.partition("\0")[0].encode("utf-8", "replace") + b"\0"


SIMPLE: dict[str, Callable[[], Part]] = {
    "str": Text,
    "lstr16": lambda: SizedBytes("H", True),
    "lstr32": lambda: SizedBytes("i", True),
    "bytes16": lambda: SizedBytes("H", False),
    "bytes32": lambda: SizedBytes("i", False),
}


def part_of(type_: str) -> Part:
    """What reads and writes one type."""
    if type_.endswith("]"):
        element, _, count = type_[:-1].partition("[")
        return CountedList(NUMBERS[count or "i32"], part_of(element))
    name, _, length = type_.partition("*")
    if length:
        return Vector(NUMBERS[name], int(length))
    return SIMPLE[name]() if name in SIMPLE else Numbers(NUMBERS[name])


class Layout:
    """The bytes of one message behind its code."""

    def __init__(self, text: str = "", *tail: Part, names: tuple[str, ...] = ()) -> None:
        """Compile a layout; `tail` are parts that the text cannot express, `names` the names of their values.

        Raises:
            KeyError: the text names an unknown type.
        """
        fields = [one.partition(":") for one in text.split()]
        self.names = tuple(name for name, _, _ in fields) + names
        self.types = None if tail else tuple(type_ for _, _, type_ in fields)
        """The types of the values; None when the text cannot express them."""
        self.parts = join_parts([type_ for _, _, type_ in fields]) + list(tail)
        self.least = sum(part.least for part in self.parts)
        only = self.parts[0] if len(self.parts) == 1 else None
        self._numbers = only.struct if isinstance(only, Numbers) else None
        self._vector = only.struct if isinstance(only, Vector) else None
        self.is_vector = self._vector is not None
        """It is nothing but one vector."""
        self.flat = only.format if isinstance(only, (Numbers, Vector)) else None
        """The numbers as a format of `struct`, a letter each; None when there is more than one part."""

    def read(self, data: bytes, at: int = 0) -> tuple[Values, int]:
        """The values that stand at `at`, and the place behind them.

        Raises:
            ProtocolError: the bytes end too early, or a length in them is impossible.
        """
        try:
            if self._vector:
                return (self._vector.unpack_from(data, at),), at + self.least
            if self._numbers:
                return self._numbers.unpack_from(data, at), at + self.least
            values: list[Any] = []
            for part in self.parts:
                at = part.read(data, at, values)
        except struct.error as error:
            raise ProtocolError(f"a message is cut off ({error})") from None
        return tuple(values), at

    def write(self, out: bytearray, values: Sequence[Any]) -> None:
        """Append the bytes of the values.

        Raises:
            ProtocolError: their number, types or sizes do not fit; nothing is appended.
        """
        start, i = len(out), 0
        try:
            for part in self.parts:
                part.write(out, values[i : i + part.count])
                i += part.count
            if i != len(values):
                raise ValueError(f"{len(values)} values for {i} places")
        except (struct.error, TypeError, ValueError, IndexError, AttributeError) as error:
            del out[start:]
            wanted = ", ".join(self.names) or "none"
            raise ProtocolError(
                f"the values {list(values)!r:.200} do not fit ({error}); wanted: {wanted}"
            ) from None

    def pack(self, *values: Any) -> bytes:
        """The bytes of the values (see `write`)."""
        out = bytearray()
        self.write(out, values)
        return bytes(out)


def join_parts(types: list[str]) -> list[Part]:
    """One part for each type, but a single one for neighboring numbers."""
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
