"""Plain values as bytes, for saved states: numbers keep all bits, and reading executes no code.

Plain are None, booleans, numbers, strings, bytes, and lists, tuples and dicts of these.
"""

from __future__ import annotations

import json
import struct
from typing import Any
from zlib import compress, crc32, decompressobj, error

_END = struct.Struct("<IQQ")
FASTEST = 1
"""Level of compression: a seventh of the size in a tenth of the time that saving takes."""
LARGEST = 1 << 32
"""Bytes of a state."""
_PLAIN = (bool, int, float, str)


def with_plain(head: bytes, value: object) -> bytes:
    """Append a plain value to some bytes, and compress both; `split` separates them again.

    Raises:
        TypeError: the value is not plain.
    """
    body = json.dumps(_packed(value), separators=(",", ":")).encode()
    packed = compress(head + body, FASTEST)
    return packed + _END.pack(crc32(packed), len(head), len(body))


def split(data: bytes) -> tuple[bytes, Any]:
    """Return what was passed to `with_plain`.

    Raises:
        ValueError: the bytes are incomplete or were changed.
    """
    if len(data) < _END.size:
        raise ValueError("it is too short")
    check, head, body = _END.unpack(data[-_END.size :])
    packed = data[: -_END.size]
    if crc32(packed) != check or head + body > LARGEST:
        raise ValueError("it is damaged")
    try:
        whole = decompressobj().decompress(packed, head + body + 1)
    except error:
        raise ValueError("it is damaged") from None
    if len(whole) != head + body:
        raise ValueError("it is damaged")
    return whole[:head], json.loads(whole[head:], object_hook=_unpacked)


def _packed(value: object) -> Any:
    if value is None or isinstance(value, _PLAIN):
        return value
    if isinstance(value, bytes):
        return {"bytes": value.decode("latin-1")}
    if isinstance(value, tuple):
        return {"tuple": [_packed(element) for element in value]}
    if isinstance(value, list):
        return [_packed(element) for element in value]
    if isinstance(value, dict):
        return {"dict": [[_packed(key), _packed(element)] for key, element in value.items()]}
    raise TypeError(f"{type(value).__name__} is not plain")


def _unpacked(value: dict[str, Any]) -> Any:
    """Return what an object stands for; objects inside it have been replaced already."""
    ((kind, inner),) = value.items()
    if kind == "bytes":
        return inner.encode("latin-1")
    if kind == "tuple":
        return tuple(inner)
    return dict(inner)
