"""The memory of a picture that a device writes and its controller reads."""

from __future__ import annotations

import os
import weakref
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from wbridge.hal.protocol import picture_files
from wbridge.hal.protocol.names import encoded_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

LONGEST_NAME = 100
_ZEROS = memoryview(bytes(1 << 20))


class PictureMemory:
    """Writable bytes, shared with the controller by a mapped file or private to this process."""

    def __init__(self, size: int, path: str = "") -> None:
        """
        Args:
            size: in bytes, at least 1.
            path: an empty file to use, which is removed with the memory; "": private memory.

        Raises:
            OSError: the file cannot be written or mapped.
        """
        self.path = path
        """The shared file; "" if private."""
        self.pixels: NDArray[np.uint8] = np.zeros(size, dtype=np.uint8) if not path else _mapped(path, size)
        """The bytes, zero at first. What is written here is what the controller reads."""
        self._finalizer = weakref.finalize(self, _remove, path)

    @classmethod
    def shared(cls, size: int, name: str, folder: Path | None) -> PictureMemory:
        """Create memory shared through a new file.

        Args:
            size: in bytes, at least 1.
            name: the device's name, which becomes part of the file's.
            folder: where the file is created; None: the system's temporary folder.

        Raises:
            OSError: the file cannot be created or mapped.
        """
        import tempfile  # start-up: 4 ms, few devices have pictures

        prefix = f"snap.webots.{encoded_name(name)[:LONGEST_NAME]}."
        handle, path = tempfile.mkstemp(prefix=prefix, dir=folder)
        os.close(handle)
        try:
            return cls(size, path)
        except OSError:
            _remove(path)
            raise

    def close(self) -> None:
        """Remove the file. Existing views of the bytes stay valid."""
        self._finalizer()


def _mapped(path: str, size: int) -> NDArray[np.uint8]:
    with open(path, "r+b", buffering=0) as file:
        # Writing allocates the pages together, in a third of the time of page faults.
        while (left := size - file.tell()) > 0:
            file.write(_ZEROS[:left])
        return np.frombuffer(picture_files.writable(file.fileno(), size), dtype=np.uint8)


def _remove(path: str) -> None:
    if path:
        picture_files.forget(path)
        Path(path).unlink(missing_ok=True)
