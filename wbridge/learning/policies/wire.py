"""The little of Protocol Buffers that ONNX files need: fields of numbers, bytes and messages.

The encoding is described at https://protobuf.dev/programming-guides/encoding.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import TypeAlias

Value: TypeAlias = int | float | bytes | str
VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
"""Wire types."""


class WireError(ValueError):
    """Bytes are no message."""


def message(*fields: tuple[int, Value]) -> bytes:
    """Return a message of fields: (number, value). Floats have 32 bits; texts and messages are bytes."""
    return b"".join(_field(number, value) for number, value in fields)


def _field(number: int, value: Value) -> bytes:
    if isinstance(value, int):
        return _varint(number << 3 | VARINT) + _varint(value & (1 << 64) - 1)
    if isinstance(value, float):
        return _varint(number << 3 | FIXED32) + struct.pack("<f", value)
    data = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | BYTES) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    data = bytearray()
    while value > 127:
        data.append(value & 127 | 128)
        value >>= 7
    data.append(value)
    return bytes(data)


def fields_of(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield the number and value of each field; those of fixed width as bytes.

    Raises:
        WireError: the bytes are no message.
    """
    place = 0
    while place < len(data):
        key, place = _read_varint(data, place)
        number, kind = key >> 3, key & 7
        if kind == VARINT:
            value, place = _read_varint(data, place)
            yield number, value
            continue
        if kind == BYTES:
            size, place = _read_varint(data, place)
        elif kind in (FIXED64, FIXED32):
            size = 8 if kind == FIXED64 else 4
        else:
            raise WireError(f"wire type {kind} at byte {place}")
        if place + size > len(data):
            raise WireError(f"a field of {size} bytes at byte {place} exceeds the message")
        yield number, data[place : place + size]
        place += size


def varints_of(value: int | bytes) -> list[int]:
    """Return the signed numbers of a repeated field: a single one, or several in one field."""
    if isinstance(value, int):
        return [_signed(value)]
    numbers, place = [], 0
    while place < len(value):
        number, place = _read_varint(value, place)
        numbers.append(_signed(number))
    return numbers


def _signed(number: int) -> int:
    return number - (1 << 64) if number >> 63 else number


def _read_varint(data: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while place < len(data) and shift < 64:
        byte = data[place]
        value |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return value, place
    raise WireError(f"a number at byte {place} does not end")
