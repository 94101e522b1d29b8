"""A camera without hardware: plays the pictures of a folder, in place of the kernel and its device.

It answers the requests of Video4Linux2 as a USB camera's driver does, so everything above runs as with a real
camera. Files in JPEG of the right size are sent as they are, even if they are damaged.
"""

from __future__ import annotations

import ctypes
import errno
import io
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from PIL import Image

from wbridge.hal.link.pipe import Clock
from wbridge.remote_controls.cameras import videodev2 as v4l2
from wbridge.remote_controls.cameras.kernel import Kernel, Memory

SUFFIXES = (".jpg", ".jpeg", ".png")
RATE = 30.0
FORMATS = ("MJPG", "YUYV")
_FILE = 3
"""Its file descriptor; no real one, because nothing but the player uses it."""


def _pause(seconds: float) -> None:
    time.sleep(seconds)


class Player(Kernel):
    """A camera that shows one picture after the other, again and again."""

    def __init__(
        self,
        rate: float = RATE,
        formats: tuple[str, ...] = FORMATS,
        clock: Clock = time.monotonic,
        sleep: Callable[[float], None] = _pause,
    ) -> None:
        """
        Args:
            rate: pictures per second.
            formats: pixel formats of the camera, the one that it prefers first.
            clock: its clock, in s.
            sleep: waits some seconds of that clock.
        """
        self._rate, self._formats, self._clock, self._sleep = rate, formats, clock, sleep
        self._calls: dict[str, Callable[..., None]] = {
            "QUERYCAP": self._capability,
            "S_FMT": self._set_format,
            "S_PARM": self._set_rate,
            "REQBUFS": self._make_buffers,
            "QUERYBUF": self._describe,
            "QBUF": self._queue,
            "DQBUF": self._dequeue,
            "STREAMON": self._on,
            "STREAMOFF": self._off,
        }
        self.unplugged = False
        """Set to unplug the camera."""

    def open(self, path: str) -> int:
        """Open a folder of pictures, or one picture."""
        place = Path(path)
        if not place.exists():
            raise OSError(errno.ENOENT, f"{path} does not exist")
        files = sorted(place.iterdir()) if place.is_dir() else [place]
        self._files = [file for file in files if file.suffix.lower() in SUFFIXES]
        if not self._files:
            raise OSError(errno.EINVAL, f"no pictures ({', '.join(SUFFIXES)})")
        self._size = _size(self._files)
        self._format, self._memory, self._waiting = self._formats[0], list[bytearray](), deque[int]()
        self._start: float | None = None
        self._shown = 0
        return _FILE

    def ioctl(self, file: int, request: str, argument: ctypes.Structure) -> None:
        """Answer a request as a camera does."""
        if self.unplugged:
            raise OSError(errno.ENODEV, "No such device")
        self._calls[request](argument)

    def map(self, file: int, length: int, offset: int) -> Memory:
        """Return the memory of a buffer."""
        return self._memory[offset // max(length, 1)]

    def wait(self, file: int, timeout: float) -> bool:
        """Wait for the next picture."""
        if self.unplugged:
            return True
        if self._start is None or not self._waiting:
            self._sleep(timeout)
            return False
        left = self._start + self._shown / self._rate - self._clock()
        self._sleep(max(min(left, timeout), 0.0))
        return left <= timeout

    def close(self, file: int) -> None:
        """Close the camera."""
        self._start = None

    def _capability(self, capability: v4l2.Capability) -> None:
        capability.driver, capability.card = b"player", b"Pictures in files"
        capability.capabilities = v4l2.CAP_VIDEO_CAPTURE | v4l2.CAP_STREAMING

    def _set_format(self, wanted: v4l2.Format) -> None:
        """Keep the wanted format if there is such, and change the size to that of the pictures."""
        pix = wanted.fmt.pix
        name = v4l2.fourcc_name(pix.pixelformat)
        self._format = name if name in self._formats else self._formats[0]
        pix.pixelformat = v4l2.fourcc(self._format)
        if self._format == "YUYV":
            self._size = self._size[0] // 2 * 2 or 2, self._size[1]  # two pixels share a color
        pix.width, pix.height = self._size
        pix.bytesperline = 2 * pix.width if self._format == "YUYV" else 0
        pix.sizeimage = self._room()

    def _set_rate(self, wanted: v4l2.StreamParm) -> None:
        time_per_frame = wanted.parm.capture.timeperframe
        self._rate = time_per_frame.denominator / max(time_per_frame.numerator, 1)

    def _room(self) -> int:
        width, height = self._size
        return max(2 * width * height, *(file.stat().st_size for file in self._files), 1)

    def _make_buffers(self, wanted: v4l2.RequestBuffers) -> None:
        self._memory = [bytearray(self._room()) for _ in range(wanted.count)]
        self._waiting.clear()

    def _describe(self, buffer: v4l2.Buffer) -> None:
        buffer.length = len(self._memory[buffer.index])
        buffer.m.offset = buffer.index * buffer.length

    def _queue(self, buffer: v4l2.Buffer) -> None:
        self._waiting.append(buffer.index)

    def _dequeue(self, buffer: v4l2.Buffer) -> None:
        now = self._clock()
        if self._start is None or not self._waiting or now < self._start + self._shown / self._rate:
            raise OSError(errno.EAGAIN, "Resource temporarily unavailable")
        data = self._encoded(self._files[self._shown % len(self._files)])
        self._shown = max(self._shown + 1, int((now - self._start) * self._rate))
        buffer.index = self._waiting.popleft()
        memory = self._memory[buffer.index]
        buffer.bytesused = min(len(data), len(memory))
        memory[: buffer.bytesused] = data[: buffer.bytesused]

    def _on(self, _: v4l2.BufferType) -> None:
        self._start, self._shown = self._clock(), 0

    def _off(self, _: v4l2.BufferType) -> None:
        self._start = None

    def _encoded(self, file: Path) -> bytes:
        """Return a picture as the camera sends it."""
        if self._format == "MJPG" and file.suffix.lower() != ".png":
            return file.read_bytes()
        with Image.open(file) as opened:
            picture = opened.convert("RGB").resize(self._size)
        if self._format == "YUYV":
            return yuyv(picture)
        out = io.BytesIO()
        picture.save(out, "JPEG", quality=90)
        return out.getvalue()


def _size(files: list[Path]) -> tuple[int, int]:
    """Return the size of the first readable picture."""
    for file in files:
        try:
            with Image.open(file) as picture:
                width, height = picture.size
                return width, height
        except (OSError, SyntaxError, ValueError):
            continue
    raise OSError(errno.EINVAL, "none of the pictures can be read")


def yuyv(picture: Image.Image) -> bytes:
    """Return an RGB picture with an even width as Y U Y V bytes (BT.601, limited range)."""
    brightness, blue, red = picture.convert("YCbCr").split()
    half = (picture.width // 2, picture.height)
    out = bytearray(2 * picture.width * picture.height)
    out[0::2] = brightness.point([round(16 + value * 219 / 255) for value in range(256)]).tobytes()
    color = [max(0, min(255, round(128 + (value - 128) * 224 / 255))) for value in range(256)]
    out[1::4] = blue.resize(half).point(color).tobytes()
    out[3::4] = red.resize(half).point(color).tobytes()
    return bytes(out)
