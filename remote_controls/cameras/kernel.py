"""The operating system's calls on a camera: the seam below which a camera can be replaced.

`wbridge.remote_controls.cameras.player.Player` plays pictures from files at this place.
"""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
import sys

from wbridge.hal.ready import readable
from wbridge.remote_controls.cameras.videodev2 import REQUESTS

Memory = mmap.mmap | bytearray


class Kernel:
    """The calls on a real device. All of them raise OSError as the kernel reports it."""

    def open(self, path: str) -> int:
        """Open a device; return its file descriptor."""
        if sys.platform == "win32":
            raise OSError(errno.ENOSYS, "cameras are read by Video4Linux2, which Windows lacks")
        return os.open(path, os.O_RDWR | os.O_NONBLOCK)

    def ioctl(self, file: int, request: str, argument: ctypes.Structure) -> None:
        """Make a request.

        Args:
            file: file descriptor of the device.
            request: a name in `videodev2.REQUESTS`.
            argument: its structure, which the device changes.
        """
        import fcntl  # start-up: only on Linux

        fcntl.ioctl(file, REQUESTS[request], argument)

    def map(self, file: int, length: int, offset: int) -> Memory:
        """Return the memory of a buffer."""
        return mmap.mmap(file, length, offset=offset)

    def wait(self, file: int, timeout: float) -> bool:
        """Wait up to `timeout` s; return True if a buffer may be ready."""
        return bool(readable([file], timeout))

    def close(self, file: int) -> None:
        """Close a device."""
        os.close(file)
