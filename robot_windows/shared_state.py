"""Where a run puts its newest state for the process that serves its windows: memory that both share.

Neither side calls the system for it, wakes the other or waits for it: the run writes when it has something
new, and the server looks when a page is due. There are two places, written by turns, so that the newest state
stands still while the next one is written; a checksum tells a reader who was overtaken all the same.
"""

from __future__ import annotations

import mmap
import os
import struct
import tempfile
import zlib

__all__ = ["PLACE", "SharedState"]

PLACE = 2**22
"""Bytes of a place; only those that are written take up memory."""
_HEAD = struct.Struct("<QII")
"""Which state it is, from 1 on; bytes; checksum of both and the state."""


class SharedState:
    """The newest state, as bytes."""

    def __init__(self, number: int | None = None) -> None:
        """Make new shared memory, or open that of another process.

        Args:
            number: of the file, as this process has inherited it; None: a new one.

        Raises:
            OSError: there is no memory, or no such file.
        """
        if number is None:
            with tempfile.TemporaryFile() as file:
                number = os.dup(file.fileno())
            os.ftruncate(number, 2 * PLACE)
        self.number = number
        self._memory = mmap.mmap(number, 2 * PLACE)
        self._count = 0
        """The state that was put or taken last."""

    def put(self, state: bytes) -> bool:
        """Replace the oldest state; False: it is too large."""
        size = len(state)
        if size > PLACE - _HEAD.size:
            return False
        self._count = count = self._count + 1
        start = count % 2 * PLACE
        self._memory[start + _HEAD.size : start + _HEAD.size + size] = state
        _HEAD.pack_into(self._memory, start, count, size, _checksum(count, state))
        return True

    def take(self) -> bytes | None:
        """The newest state; None when it was taken already, or is just being written."""
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
        """Give the memory back."""
        self._memory.close()
        os.close(self.number)


def _checksum(count: int, state: bytes) -> int:
    return zlib.crc32(state, count & 0xFFFFFFFF)
