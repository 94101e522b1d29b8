"""One value of a channel as bytes: little endian, as wide as its type, without gaps.

Reals (f64, and those in vectors) are 8 bytes wide, or 4 where the robot's processor has none of 8: a robot
tells it when it is greeted. What has a fixed number of elements is written as it is; what varies in size has
its number of bytes as u32 before it.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from wbridge.hal.link.errors import MessageError
from wbridge.hal.link.numbering import LinkChannel

REAL32, REAL64 = 4, 8
"""Widths of reals in bytes."""
LARGEST_F32 = 3.4028234663852886e38
ELEMENTS = {
    "bool": "B",
    "i32": "i",
    "f32": "f",
    "f64": "R",
    "vec3": "RRR",
    "quaternion": "RRRR",
    "points": "fffif",
    "targets": "RRRR",
}
"""Fields of one element: R is a real. Types that are not here vary in the size of an element, too."""
STREAMS = ("bytes", "packets", "commands")
"""Types whose values are sent one after the other; of the other types only the newest value counts."""
SIZE = struct.Struct("<I")
PLAIN = {
    ("f64", REAL64): struct.Struct("<d"),
    ("i32", REAL64): struct.Struct("<i"),
    ("i32", REAL32): struct.Struct("<i"),
}
"""Layouts of single values that can be packed as they are: most of what is sent."""


class Packet(NamedTuple):
    """One message between an emitter and a receiver."""

    channel: int
    data: bytes
    signal: float = 1.0
    """Strength; 1 at a distance of 1 m in free space."""
    direction: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Unit vector to the emitter, in the receiver's axes."""


class RecognizedObject(NamedTuple):
    """What a camera has recognized, in its axes."""

    id: int
    position: tuple[float, float, float]
    orientation: tuple[float, float, float, float]
    """Axis and angle in rad."""
    size: tuple[float, float]
    position_on_image: tuple[int, int]
    size_on_image: tuple[int, int]
    colors: tuple[tuple[float, float, float], ...]
    model: str


def is_stream(channel: LinkChannel) -> bool:
    """True when each value of a channel matters, not only the newest."""
    return channel.type in STREAMS


@cache
def element(type_: str, real: int) -> struct.Struct | None:
    """The layout of one element; None when its size varies."""
    fields = ELEMENTS.get(type_)
    return struct.Struct("<" + fields.replace("R", "f" if real == REAL32 else "d")) if fields else None


def fixed_size(channel: LinkChannel, real: int) -> int | None:
    """Number of bytes of a channel's value; None when it varies."""
    code = element(channel.type, real)
    return None if code is None or channel.elements is None else code.size * channel.elements


def encode_value(channel: LinkChannel, value: object, real: int) -> bytes:
    """A value as bytes.

    Args:
        channel: what the value belongs to.
        value: as the type says: bool, int, float, tuple of floats; a flat sequence of these when the channel
            has a shape; bytes for images and bytes; str for text; a sequence of `Packet`, `RecognizedObject`
            or (code, bytes) for packets, objects and commands.
        real: width of reals in bytes, 4 or 8. A finite number that 4 bytes cannot hold becomes the largest
            one that they can, never infinite: for a motor, infinite has a meaning.

    Raises:
        MessageError: the value does not fit the channel.
    """
    try:
        if channel.single and (plain := PLAIN.get((channel.type, real))) is not None:
            return plain.pack(value)
        data = _encode(channel, value, real)
    except (struct.error, TypeError, ValueError, OverflowError, AttributeError) as error:
        raise MessageError(f"{channel.label} cannot take {_shown(value)}: {error}") from None
    size = fixed_size(channel, real)
    if size is None:
        return SIZE.pack(len(data)) + data
    if len(data) != size:
        wanted = f"{channel.elements} values of type {channel.type}"
        raise MessageError(f"{channel.label} cannot take {_shown(value)}: expected {wanted}")
    return data


def decode_value(channel: LinkChannel, data: bytes, at: int, real: int) -> tuple[Any, int]:
    """The value at a place, and the place behind it.

    Raises:
        MessageError: the value does not exist.
    """
    if channel.single and (plain := PLAIN.get((channel.type, real))) is not None:
        end = at + plain.size
        if end > len(data):
            raise MessageError(f"{channel.label} is cut off")
        return plain.unpack_from(data, at)[0], end
    size = fixed_size(channel, real)
    if size is None:
        if len(data) - at < SIZE.size:
            raise MessageError(f"{channel.label} is cut off")
        (size,) = SIZE.unpack_from(data, at)
        at += SIZE.size
    if size > len(data) - at:
        raise MessageError(f"{channel.label} takes {size} bytes; there are {len(data) - at}")
    try:
        return _decode(channel, data[at : at + size], real), at + size
    except (struct.error, ValueError, IndexError) as error:
        raise MessageError(f"{channel.label}: {error}") from None


def has_nan(value: object) -> bool:
    """True when a number in a value is not a number."""
    if isinstance(value, float):
        return value != value
    return isinstance(value, (tuple, list)) and any(has_nan(element) for element in value)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _encode(channel: LinkChannel, value: Any, real: int) -> bytes:
    layout = element(channel.type, real)
    if layout is None:
        return _VARYING[channel.type][0](value, real)
    fields = len(ELEMENTS[channel.type])
    numbers: Sequence[Any] = [value] if channel.single else list(value)
    if fields > 1:
        if any(len(row) != fields for row in numbers):
            raise ValueError(f"each element has {fields} numbers")
        numbers = [number for row in numbers for number in row]
    elif channel.type == "bool":
        numbers = [bool(number) for number in numbers]
    count = len(numbers) // fields
    if channel.elements is not None and count != channel.elements:
        raise ValueError(f"expected {channel.elements} values of type {channel.type}")
    letters = ELEMENTS[channel.type] * count
    return _pack(letters.replace("R", "f" if real == REAL32 else "d"), numbers)


def _pack(letters: str, numbers: Sequence[object]) -> bytes:
    if "f" in letters:
        numbers = [_narrow(n) if letter == "f" else n for letter, n in zip(letters, numbers, strict=True)]
    return struct.pack("<" + letters, *numbers)


def _narrow(number: Any) -> float:
    """The nearest number that 4 bytes can hold; finite ones stay finite."""
    value = float(number)
    if math.isfinite(value) and abs(value) > LARGEST_F32:
        return math.copysign(LARGEST_F32, value)
    return value


def _decode(channel: LinkChannel, data: bytes, real: int) -> Any:
    layout = element(channel.type, real)
    if layout is None:
        return _VARYING[channel.type][1](data, real)
    if len(data) % layout.size:
        raise ValueError(f"{len(data)} bytes are not a whole number of values of {layout.size} bytes")
    items: list[Any] = list(layout.iter_unpack(data))
    if len(ELEMENTS[channel.type]) == 1:
        items = [number for (number,) in items]
    if channel.type == "bool":
        if any(number > 1 for number in items):
            raise ValueError("a Boolean value is neither 0 nor 1")
        items = [number == 1 for number in items]
    return items[0] if channel.single else items


# Types whose elements vary in size.


class _Cursor:
    """Reads field after field."""

    def __init__(self, data: bytes, real: int) -> None:
        self.data, self.at, self.real = data, 0, "f" if real == REAL32 else "d"

    def take(self, letters: str) -> tuple[Any, ...]:
        layout = struct.Struct("<" + letters.replace("R", self.real))
        values = layout.unpack_from(self.data, self.at)
        self.at += layout.size
        return values

    def block(self) -> bytes:
        (size,) = self.take("I")
        if size > len(self.data) - self.at:
            raise ValueError(f"a block of {size} bytes where {len(self.data) - self.at} are left")
        self.at += size
        return self.data[self.at - size : self.at]

    def until_end(self) -> Iterator[_Cursor]:
        while self.at < len(self.data):
            yield self


def _fields(letters: str, real: int, *numbers: object) -> bytes:
    return _pack(letters.replace("R", "f" if real == REAL32 else "d"), numbers)


def _write_packets(packets: Sequence[Packet], real: int) -> bytes:
    return b"".join(
        _fields("iRRRRI", real, point.channel, point.signal, *point.direction, len(point.data))
        + bytes(point.data)
        for point in packets
    )


def _read_packets(data: bytes, real: int) -> list[Packet]:
    items = []
    for cursor in _Cursor(data, real).until_end():
        channel, signal, *direction = cursor.take("iRRRR")
        items.append(Packet(channel, cursor.block(), signal, (direction[0], direction[1], direction[2])))
    return items


def _write_objects(objects: Sequence[RecognizedObject], real: int) -> bytes:
    out = bytearray()
    for item in objects:
        out += _fields("iRRRRRRRRR", real, item.id, *item.position, *item.orientation, *item.size)
        out += _fields("iiiiI", real, *item.position_on_image, *item.size_on_image, len(item.colors))
        for color in item.colors:
            out += _fields("RRR", real, *color)
        model = item.model.encode()
        out += SIZE.pack(len(model)) + model
    return bytes(out)


def _read_objects(data: bytes, real: int) -> list[RecognizedObject]:
    items = []
    for cursor in _Cursor(data, real).until_end():
        (id_,) = cursor.take("i")
        position, orientation, size = cursor.take("RRR"), cursor.take("RRRR"), cursor.take("RR")
        on_image, size_on_image = cursor.take("ii"), cursor.take("ii")
        (count,) = cursor.take("I")
        if count > len(data):
            raise ValueError(f"{count} colors in {len(data)} bytes")
        colors = tuple(cursor.take("RRR") for _ in range(count))
        model = cursor.block().decode()
        items.append(
            RecognizedObject(id_, position, orientation, size, on_image, size_on_image, colors, model)
        )
    return items


def _write_commands(commands: Sequence[tuple[int, bytes]], real: int) -> bytes:
    return b"".join(struct.pack("<BI", code, len(data)) + data for code, data in commands)


def _read_commands(data: bytes, real: int) -> list[tuple[int, bytes]]:
    return [(cursor.take("B")[0], cursor.block()) for cursor in _Cursor(data, real).until_end()]


_VARYING: dict[str, tuple[Callable[[Any, int], bytes], Callable[[bytes, int], Any]]] = {
    "text": (lambda value, real: str(value).encode(), lambda data, real: data.decode()),
    "bytes": (lambda value, real: memoryview(value).tobytes(), lambda data, real: data),
    "image": (lambda value, real: memoryview(value).tobytes(), lambda data, real: data),
    "packets": (_write_packets, _read_packets),
    "objects": (_write_objects, _read_objects),
    "commands": (_write_commands, _read_commands),
}
