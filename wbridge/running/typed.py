"""What a user types, for programs that do not wait for it."""

from __future__ import annotations

import os
import queue
import sys
import threading

from wbridge.hal.ready import readable

CHUNK = 4096


class Typed:
    """Reads standard input. On Windows, where only sockets can be watched, a thread does."""

    def __init__(self) -> None:
        self._number: int | None = None if sys.stdin is None else sys.stdin.fileno()
        self._read: queue.Queue[bytes] | None = None
        if sys.platform == "win32" and self._number is not None:
            self._read = queue.Queue()
            threading.Thread(target=_collect, args=(self._number, self._read), daemon=True).start()

    def now(self) -> bytes | None:
        """Return what has come since the last call; b"" if that is nothing, None at the end."""
        if self._number is None:
            return None
        if self._read is None:
            data = os.read(self._number, CHUNK) if readable([self._number], 0) else None
        else:
            data = None if self._read.empty() else self._read.get()
        if data == b"":
            self._number = None
        return data or (b"" if data is None else None)

    @property
    def is_ours(self) -> bool:
        """False if the process is in the background of a terminal, whose lines then belong to another."""
        if sys.platform == "win32" or self._number is None or not os.isatty(self._number):
            return True
        return os.tcgetpgrp(self._number) == os.getpgrp()


def _collect(number: int, read: queue.Queue[bytes]) -> None:
    """Read to the end, which is b"" here as well."""
    data = b"-"
    while data:
        data = os.read(number, CHUNK)
        read.put(data)
