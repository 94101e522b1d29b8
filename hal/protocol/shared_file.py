"""The name of a file through which a simulator shares pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wbridge.hal.protocol.layout import Layout

SIZE, PATH = Layout("size:i32"), Layout("path:str")


class SharedFile:
    """The size of a file and its path, which follows only if the size is above 0 (Webots: image_setup)."""

    count, least = 2, 4

    def read(self, data: bytes, at: int, values: list[Any]) -> int:
        """See `Part.read`."""
        (size,), at = SIZE.read(data, at)
        path = ""
        if size > 0:
            (path,), at = PATH.read(data, at)
        values += (size, path)
        return at

    def write(self, out: bytearray, values: Sequence[Any]) -> None:
        """See `Part.write`."""
        size, path = values
        SIZE.write(out, (size,))
        if size > 0:
            PATH.write(out, (path,))


SHARED_FILE = Layout("", SharedFile(), names=("size", "path"))
"""Size in bytes, 0 if there is no file, and path."""
