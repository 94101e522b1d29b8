"""Base class of image devices. Images arrive in a shared file locally and in chunks over TCP."""

from __future__ import annotations

import mmap
from collections.abc import Callable
from typing import Any

from wbridge.hal.modes.device import Sensor
from wbridge.hal.modes.image_files import ImageFileError, has_quality, write_image_file
from wbridge.hal.protocol import picture_files
from wbridge.hal.reports import messages

__all__ = ["ImageDevice", "SharedImage"]


class SharedImage:
    """The latest image of one stream."""

    def __init__(self) -> None:
        self._content: bytes | mmap.mmap | memoryview | None = None
        self._file: mmap.mmap | memoryview | None = None
        """The mapped file, while a copy of it is in its place."""

    def map(self, size: int, path: str) -> None:
        """Map a file that the simulator writes while the controller waits; size 0: there is no file."""
        self._content = self._file = None
        if size > 0:
            with open(path, "rb") as file:
                self._content = picture_files.readable(file.fileno(), size)

    def whole(self) -> bytes | None:
        """A copy of the image with what follows it; None before the first image."""
        return None if self._content is None else bytes(self._content)

    def put(self, content: bytes) -> None:
        """Store an image that arrived as bytes."""
        self._content, self._file = content, None

    def hold(self) -> None:
        """Keep the content of a mapped file while the simulator may write the next picture.

        Views that exist already still show the file.
        """
        if self._content is not None and not isinstance(self._content, bytes):
            self._file = self._content
            self._content = bytes(self._file)

    def follow(self) -> None:
        """Show the mapped file again."""
        if self._file is not None:
            self._content, self._file = self._file, None

    def view(self, size: int, start: int = 0) -> memoryview | None:
        """`size` bytes from `start` that follow the picture; None before the first image."""
        content = self._content
        if content is None or len(content) < start + size:
            return None
        return memoryview(content)[start : start + size].toreadonly()

    def get(self, size: int, start: int = 0) -> bytes | None:
        """A copy of `size` bytes from `start`; None before the first image."""
        content = self._content
        if content is None or len(content) < start + size:
            return None
        return bytes(content[start : start + size])


class ImageDevice(Sensor):
    """A camera, range-finder or lidar."""

    width = height = 0
    fov = near = 0.0
    planar = 1

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.shared = SharedImage()

    def streams(self) -> tuple[SharedImage, ...]:
        """The images that the simulator writes."""
        return (self.shared,)

    def hold_pictures(self) -> bool:
        """Keep the pictures during a step in which the controller computes; True."""
        for stream in self.streams():
            stream.hold()
        return True

    def follow_pictures(self) -> None:
        """Show the pictures of the step that has ended."""
        for stream in self.streams():
            stream.follow()

    def take_image_file(self, size: int, path: str) -> None:
        """Map the shared file with the images; the simulator sends a new one after a change of size."""
        self.map(self.shared, size, path)

    def map(self, image: SharedImage, size: int, path: str) -> None:
        """Map a file; print an error on failure."""
        try:
            image.map(size, path)
        except (OSError, ValueError) as problem:
            self.error("enable", f'cannot read the images of "{self.name}": {problem}')

    def take_image(self, code: int, pixels: bytes) -> None:
        """Store an image that arrived as a chunk."""
        self.shared.put(pixels)

    def save(self, method: str, filename: str, quality: int, pixels: bytes | None, channels: int) -> int:
        """Save an image; 0, or -1 after printing an error."""

        def write() -> None:
            write_image_file(filename, self.width, self.height, pixels or b"", channels, quality)

        return self.try_to_save(method, filename, quality, pixels is not None, write)

    def try_to_save(
        self, method: str, filename: str, quality: int, has_image: bool, write: Callable[[], None]
    ) -> int:
        """Write an image file; 0, or -1 after printing an error."""
        if not has_image:
            self.error(method, messages.no_image_yet())
            return -1
        if has_quality(filename) and not 1 <= quality <= 100:
            self.error(method, messages.invalid_quality(quality))
            return -1
        try:
            write()
        except (OSError, ImageFileError) as problem:
            self.error(method, messages.unwritable_file(problem))
            return -1
        return 0

    def get_width(self) -> int:
        """The width of the image in pixels."""
        return self.width

    def get_height(self) -> int:
        """The height of the image in pixels."""
        return self.height

    def get_fov(self) -> float:
        """The horizontal field of view, in rad."""
        return self.fov

    def floats(self, count: int, start: int = 0) -> memoryview[float] | None:
        """`count` numbers of the image from index `start`; None before the first image.

        They are those of the picture itself, without a copy: the next sample overwrites them.
        """
        raw = self.shared.view(4 * count, 4 * start)
        return None if raw is None else raw.cast("f")
