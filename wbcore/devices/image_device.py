"""The base class of cameras, range finders and lidars: image files and their announcement.

Rendering is not implemented. To keep controllers working, each device delivers one empty image: black
pixels, or infinite ranges.
"""

from __future__ import annotations

import os
import tempfile
import weakref
from pathlib import Path
from typing import Any, ClassVar

from hal.protocol.names import encoded_name
from wbcore.devices.sensor import Sensor

__all__ = ["NOTHING_NEAR", "ImageDevice"]

NOTHING_NEAR = b"\0\0\x80\x7f"
"""Infinity as f32, little endian."""
MOST_BYTES = 2**28
LONGEST_NAME = 100
IMAGE = 0
"""The message code of an image sent as bytes."""


class ImageDevice(Sensor):
    """A device that shares images through a file or, over TCP, sends them with the answers."""

    KEPT: ClassVar[tuple[str, ...]] = ("_has_sent",)

    def __init__(self, *arguments: Any) -> None:
        self._file: Path | None = None
        self._has_sent = False
        super().__init__(*arguments)

    @property
    def pixels(self) -> bytes:
        """Return the image in the protocol's format, without trailing bytes that are not sent."""
        raise NotImplementedError

    @property
    def file_size(self) -> int:
        """The size of the shared file in bytes."""
        raise NotImplementedError

    @property
    def optics(self) -> tuple[Any, ...]:
        """The constants that may change, in the protocol's order."""
        raise NotImplementedError

    def enabled(self, period: int) -> None:
        """Announce the file when the device is first enabled."""
        if not period:
            return
        self.robot.warn(f'{self.entry.type} "{self.name}": images are not rendered yet and stay empty')
        if not self.robot.takes_pictures and self._file is None:
            self._announce()

    def _announce(self) -> None:
        size = self.file_size
        if size > MOST_BYTES:
            self.robot.warn(f'"{self.name}": images of {size} bytes are too large; the limit is {MOST_BYTES}')
            self.send("image_file", 0, "")
            return
        try:
            self._file = self._make_file(size)
        except OSError as problem:
            self.robot.warn(f'"{self.name}": cannot share images: {problem}')
            self.send("image_file", 0, "")
            return
        self.send("image_file", size, str(self._file))

    def _make_file(self, size: int) -> Path:
        """Create the image file, which is removed with the device."""
        folder = self.robot.picture_folder
        prefix = f"snap.webots.{encoded_name(self.name)[:LONGEST_NAME]}."
        handle, name = tempfile.mkstemp(prefix=prefix, dir=folder)
        with os.fdopen(handle, "wb") as file:
            file.write(self.pixels)
            file.truncate(size)
        weakref.finalize(self, _remove, name)
        return Path(name)

    def measure(self, elapsed: float) -> None:
        """Send the image, over TCP only."""
        if self.robot.takes_pictures and not self._has_sent and self.file_size <= MOST_BYTES:
            self._has_sent = True
            self.robot.pictures.append((self.tag, IMAGE, self.pixels))

    def show_again(self) -> None:
        """Update the image after a change."""
        self._has_sent = False
        if self._file is not None:
            with self._file.open("r+b") as file:
                file.write(self.pixels)

    def connect(self) -> None:
        """Create a new file for a new controller."""
        super().connect()
        if self._file is not None:
            _remove(str(self._file))
        self._file, self._has_sent = None, False

    def field_changed(self, name: str) -> None:
        """Send the controller about another view."""
        self.send_newest("optics", *self.optics)


def _remove(path: str) -> None:
    Path(path).unlink(missing_ok=True)
