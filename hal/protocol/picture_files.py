"""Files with pictures that a simulator writes and a controller reads, both through mapped memory.

In a web page both are in one process, whose maps of files are copies: there the memory itself is passed on.
"""

from __future__ import annotations

import mmap
import os
import sys

_is_page = sys.platform == "emscripten"
_memory: dict[int, memoryview] = {}
"""In a page: by the number of the file."""


def writable(file: int, size: int) -> mmap.mmap | memoryview:
    """Map a file for its writer.

    Args:
        file: descriptor of a file with at least `size` bytes.
        size: of the map (bytes).

    Raises:
        OSError: it cannot be mapped.
    """
    if not _is_page:
        return mmap.mmap(file, size)
    return _memory.setdefault(os.fstat(file).st_ino, memoryview(bytearray(size)))


def readable(file: int, size: int) -> mmap.mmap | memoryview:
    """Map a file for its reader, after its writer; see `writable`."""
    if not _is_page:
        return mmap.mmap(file, size, access=mmap.ACCESS_READ)
    return _memory[os.fstat(file).st_ino][:size].toreadonly()


def forget(path: str) -> None:
    """Drop the memory of a file that will be removed; maps that exist stay valid."""
    if _memory and os.path.exists(path):
        _memory.pop(os.stat(path).st_ino, None)
