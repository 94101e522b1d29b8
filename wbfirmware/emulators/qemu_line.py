"""A serial line between QEMU and this program.

QEMU's UARTs must never find their line full. The nRF51's then sends the byte later, in real time, and loses
the interrupt that follows. A socket is full after 278 bytes written one by one, a pipe joins them.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path

CAPACITY = 1 << 20
"""Bytes in each direction, if the system allows that: it limits the memory for all pipes of a user."""
CHUNK = 4096


class Line:
    """A pipe in each direction. QEMU opens both by the names that `options` gives."""

    def __init__(self, folder: Path, name: str) -> None:
        """
        Args:
            folder: for the names of the pipes; QEMU needs them when it starts.
            name: identifies the line within a machine.
        """
        self._name, self._path = name, folder / name
        self._outward, self.writing = os.pipe()
        self.reading, self._inward = os.pipe()
        os.set_blocking(self.reading, False)
        os.set_blocking(self.writing, False)
        with contextlib.suppress(PermissionError):
            fcntl.fcntl(self.reading, fcntl.F_SETPIPE_SZ, CAPACITY)
        for end, suffix in ((self._outward, ".in"), (self._inward, ".out")):
            self._path.with_suffix(suffix).symlink_to(f"/proc/self/fd/{end}")

    @property
    def ends(self) -> tuple[int, int]:
        """File descriptors that QEMU inherits; see `started`."""
        return self._outward, self._inward

    def options(self) -> list[str]:
        """Return QEMU's options for the line."""
        return ["-chardev", f"pipe,id={self._name},path={self._path}", "-serial", f"chardev:{self._name}"]

    def started(self) -> None:
        """Leave QEMU's ends to QEMU, so that the line ends with it."""
        for end in self.ends:
            os.close(end)

    def come(self) -> bytes:
        """Return the bytes that have come.

        Raises:
            EOFError: QEMU has ended; bytes before that are returned first.
        """
        data = b""
        with contextlib.suppress(BlockingIOError):
            while more := os.read(self.reading, CHUNK):
                data += more
            if not data:
                raise EOFError
        return data

    def give(self, data: bytes) -> int:
        """Send bytes as far as the line takes them now. Return their number."""
        try:
            return os.write(self.writing, data)
        except BlockingIOError:
            return 0

    def close(self) -> None:
        """Close this program's ends."""
        os.close(self.reading)
        os.close(self.writing)
