"""Shared memory in which a run puts its latest state for the process that serves its windows.

Neither side makes system calls, wakes the other or waits for it: the run writes new states, and the server
reads when a page is due. There are two slots, written alternately, so that the latest state stays unchanged
while the next one is written; a checksum detects if a reader was overtaken nevertheless.
"""

from __future__ import annotations

import mmap
import os
import struct
import tempfile
import zlib

PLACE = 2**22
"""Bytes of a slot; only written pages take up memory."""
_HEAD = struct.Struct("<QII")
"""Number of the state, from 1 on; bytes; checksum of both and the state."""


class SharedState:
    """The latest state, as bytes."""

    def __init__(self, number: int | None = None) -> None:
        """Create shared memory, or open that of another process.

        Args:
            number: of its file in this process; None creates new memory.

        Raises:
            OSError: the memory cannot be allocated, or the file does not exist.
        """
        if number is None:
            with tempfile.TemporaryFile() as file:
                number = os.dup(file.fileno())
            os.ftruncate(number, 2 * PLACE)
        self.number = number
        self._memory = mmap.mmap(number, 2 * PLACE)
        self._count = 0
        """Number of the state last put or taken."""

    def put(self, state: bytes) -> bool:
        """Replace the older state; return False if the new one is too large."""
        size = len(state)
        if size > PLACE - _HEAD.size:
            return False
        self._count = count = self._count + 1
        start = count % 2 * PLACE
        self._memory[start + _HEAD.size : start + _HEAD.size + size] = state
        _HEAD.pack_into(self._memory, start, count, size, _checksum(count, state))
        return True

    def take(self) -> bytes | None:
        """Return the latest state; None if it was taken already or is being written."""
        count, size, checksum, start = max(self._head(0), self._head(PLACE))
        if count <= self._count or size > PLACE - _HEAD.size:
            return None
        state = self._memory[start + _HEAD.size : start + _HEAD.size + size]
        if _checksum(count, state) != checksum:
            return None
        self._count = count
        return state

    def _head(self, start: int) -> tuple[int, int, int, int]:
        count, size, checksum = _HEAD.unpack_from(self._memory, start)
        return count, size, checksum, start

    def close(self) -> None:
        """Release the memory."""
        self._memory.close()
        os.close(self.number)


def _checksum(count: int, state: bytes) -> int:
    return zlib.crc32(state, count & 0xFFFFFFFF)
