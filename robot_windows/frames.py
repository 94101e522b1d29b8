"""Messages between a run and the process that serves its windows, on a local socket.

The run sends frames of `marshal`, which is many times faster to write than JSON: the run must not wait for
its windows. The server answers with lines of JSON: their content comes from pages, and parsing JSON can at
worst fail.
"""

from __future__ import annotations

import marshal
import struct
from collections.abc import Mapping
from typing import Any

HEAD = struct.Struct("<I")
LARGEST = 2**30
"""Bytes of a frame."""


def frame(*parts: object) -> bytes:
    """Return a frame of plain data: numbers, strings, bytes, lists, dictionaries."""
    body = packed(*parts)
    return HEAD.pack(len(body)) + body


def packed(*parts: Any) -> bytes:
    """Return the content of a frame of plain data."""
    try:
        return marshal.dumps(parts)
    except ValueError:
        return marshal.dumps(_plain(parts))


def read_frame(body: bytes) -> object:
    """Parse the content of a frame."""
    return marshal.loads(body)


def _plain(data: Any) -> Any:
    """Convert named tuples and arrays to lists, and numbers of other libraries to plain ones."""
    if data is None or isinstance(data, (str, bytes)) or type(data) in (bool, int, float):
        return data
    if isinstance(data, (bytearray, memoryview)):
        return bytes(data)
    if isinstance(data, Mapping):
        return {_plain(key): _plain(value) for key, value in data.items()}
    if hasattr(data, "__iter__"):
        return [_plain(element) for element in data]
    return int(data) if hasattr(data, "__index__") else float(data)
