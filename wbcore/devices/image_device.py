"""The base class of cameras, range finders and lidars: the memory of their pictures and its announcement.

A device says how large its picture is (`file_size`), writes its first content (`clear`), and in each due
sample the current picture (`begin`) into `pixels`. The controller reads the same memory through a mapped
file; over TCP the bytes travel with the answer.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from wbridge.hal import table
from wbridge.wbcore.devices.device import DeviceRobot
from wbridge.wbcore.devices.picture_memory import PictureMemory
from wbridge.wbcore.devices.sensor import Sensor
from wbridge.wbcore.scene.tables.rules import Place

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_COLUMNS = 2**16 - 1
IMAGE = 0
"""The message code of an image sent as bytes."""


class ImageDevice(Sensor):
    """A device that writes pictures into memory shared with its controller, from the first enabling on."""

    KEPT: ClassVar[tuple[str, ...]] = ("kept_picture",)
    SIZES: ClassVar[frozenset[str]] = frozenset()
    """Fields that change the size of the picture."""
    LARGEST: ClassVar[int] = 2**28
    """Limit of the memory in bytes."""

    def __init__(self, place: Place, entry: table.DeviceEntry, robot: DeviceRobot) -> None:
        self._memory: PictureMemory | None = None
        self._is_wanted = False
        """The device was enabled since its controller connected."""
        super().__init__(place, entry, robot)

    def load_ahead(self) -> None:
        """Import numpy, which enabling needs."""
        np.asarray(())

    @property
    def has_memory(self) -> bool:
        """Whether pictures have been wanted since the controller has connected."""
        return self._memory is not None

    # What a kind of device defines.

    @property
    def file_size(self) -> int:
        """The size of the memory in bytes."""
        raise NotImplementedError

    @property
    def sent_size(self) -> int:
        """The number of bytes, from the start, that are sent over TCP."""
        return self.file_size

    @property
    def optics(self) -> tuple[object, ...]:
        """The constants that may change, in the protocol's order."""
        raise NotImplementedError

    def clear(self, pixels: NDArray[np.uint8]) -> None:
        """Write what the picture shows before the first sample; the bytes are 0."""

    def begin(self, pixels: NDArray[np.uint8], elapsed: float) -> Callable[[], None] | None:
        """Begin to write the current picture.

        Args:
            pixels: `file_size` bytes, which hold the previous picture.
            elapsed: seconds since the last one, or since enabling; infinite after a reset.

        Returns:
            what waits for the picture and ends it; None if it is there. Others may begin meanwhile.
        """
        raise NotImplementedError

    def capture(self, pixels: NDArray[np.uint8], elapsed: float) -> None:
        """Write the current picture; see `begin`."""
        end = self.begin(pixels, elapsed)
        if end is not None:
            end()

    # Memory.

    @property
    def pixels(self) -> NDArray[np.uint8] | None:
        """The bytes of the latest picture; None before the device is first enabled, or without memory."""
        return None if self._memory is None else self._memory.pixels

    def enabled(self, period: int) -> None:
        """Allocate and announce the memory when the device is first enabled."""
        if period and not self._is_wanted:
            self._is_wanted = True
            self._allocate()

    def _allocate(self) -> None:
        self._memory = self.make_memory(self.file_size, "image_file")
        if self._memory is not None:
            self.clear(self._memory.pixels)

    def make_memory(self, size: int, message: str) -> PictureMemory | None:
        """Create memory for pictures and announce its file to a local controller.

        Args:
            size: in bytes.
            message: the name of the message that announces the file.

        Returns:
            the memory; None with a warning if it is too large or cannot be shared.
        """
        made, problem = None, ""
        if not 0 < size <= self.LARGEST:
            problem = f"images of {size} bytes; allowed: 1 to {self.LARGEST}"
        elif self.robot.pictures.is_in_answers:
            return PictureMemory(size)
        else:
            try:
                made = PictureMemory.shared(size, self.name, self.robot.pictures.folder)
            except (OSError, ValueError) as reason:
                problem = f"cannot share images: {reason}"
        if problem:
            self.robot.warn(f'"{self.name}": {problem}')
        if not self.robot.pictures.is_in_answers:
            self.send_newest(message, 0 if made is None else size, "" if made is None else made.path)
        return made

    def _release(self) -> None:
        if self._memory is not None:
            self._memory.close()
        self._memory = None

    # Sampling.

    def measure(self, elapsed: float) -> None:
        """Capture a picture; over TCP, send it with the next answer."""
        if self._memory is None:
            return
        end = self.begin(self._memory.pixels, elapsed)
        if end is None:
            self._send()
        else:
            self.robot.finish_later(partial(self._finish, end))

    def _finish(self, end: Callable[[], None]) -> None:
        end()
        self._send()

    def _send(self) -> None:
        if self._memory is not None and self.robot.pictures.is_in_answers:
            self.send_picture(IMAGE, self._memory.pixels[: self.sent_size])

    def send_picture(self, code: int, pixels: NDArray[np.uint8]) -> None:
        """Send bytes with the next answer in place of earlier ones of the same code that still wait."""
        self.robot.pictures.put(self.tag, code, pixels.tobytes())

    def shown_picture(self, largest: int) -> tuple[int, int, bytes] | None:
        """See `Device.shown_picture`; None while the device is off."""
        if self.pixels is None or not self.sampling.period:
            return None
        colors = self.shown_colors(self.pixels, largest)
        rows, columns = colors.shape[:2]
        return columns, rows, colors.tobytes()

    def shown_colors(self, pixels: NDArray[np.uint8], largest: int) -> NDArray[np.uint8]:
        """Return blue, green, red and 255 of a smaller picture: (rows, columns, 4)."""
        picture = pixels.reshape(int(self.node.get("height")), int(self.node.get("width")), 4)
        return thinned(picture, largest)

    # Changes.

    def connect(self) -> None:
        """Release the memory; it is allocated again when the new controller enables the device."""
        super().connect()
        self._is_wanted = False
        self._release()

    def renewed(self) -> None:
        """Use the fields of the new node."""
        self._resize()

    def field_changed(self, name: str) -> None:
        """Send the controller the new view."""
        if name in self.SIZES:
            self._resize()
        self.send_newest("optics", *self.optics)

    def _resize(self) -> None:
        self._release()
        if not self._has_valid_size():
            return
        self.update_entry()
        self.send_constants()
        if self._is_wanted:
            self._allocate()

    def _has_valid_size(self) -> bool:
        """Warn about sizes that the protocol has no numbers for."""
        for name in sorted(self.SIZES):
            value = self.node.get(name)
            if not 0 <= value <= MOST_COLUMNS:
                self.robot.warn(
                    f"{self.path}: {name} is {value}; allowed: 0 to {MOST_COLUMNS}; no image is sent"
                )
                return False
        return True

    # The state of a simulation.

    @property
    def kept_picture(self) -> bytes | None:
        """The latest picture, compressed, as a part of the state; None without memory."""
        return None if self._memory is None else zlib.compress(self._memory.pixels.data, 1)

    @kept_picture.setter
    def kept_picture(self, state: bytes | None) -> None:
        """Restore the picture, if there is memory of its size."""
        if state is None or self._memory is None:
            return
        pixels = zlib.decompressobj().decompress(state, self._memory.pixels.size)
        if len(pixels) == self._memory.pixels.size:
            self._memory.pixels[:] = np.frombuffer(pixels, dtype=np.uint8)


def thinned(picture: NDArray[Any], largest: int) -> NDArray[Any]:
    """Leave out rows and columns, so that at most `largest` of each are left."""
    rows, columns = picture.shape[:2]
    step = max(1, -(-rows // largest), -(-columns // largest))
    return picture[::step, ::step]
