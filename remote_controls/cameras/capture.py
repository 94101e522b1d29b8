"""Capture pictures of a Video4Linux2 device, for example a USB camera."""

from __future__ import annotations

import ctypes
import errno
from glob import glob
from typing import NamedTuple

from wbridge.hal.link.errors import AddressError, ConnectionLost
from wbridge.remote_controls.cameras import videodev2 as v4l2
from wbridge.remote_controls.cameras.frame import FORMATS, LARGEST, Frame
from wbridge.remote_controls.cameras.kernel import Kernel, Memory

BUFFERS = 4
_REASONS = {
    errno.ENOENT: "there is no such device",
    errno.ENODEV: "the camera is unplugged",
    errno.ENXIO: "the camera is unplugged",
    errno.EACCES: "no permission; add yourself to the group video: sudo usermod -aG video $USER",
    errno.EBUSY: "another program uses the camera",
    errno.ENOTTY: "it is not a camera",
}


class Wanted(NamedTuple):
    """The settings of a capture. The camera may choose other sizes and rates."""

    width: int = 640
    height: int = 480
    format: str = ""
    """A name in `FORMATS`; "": the first one that the camera has."""
    rate: float | None = None
    """Pictures per second; None: as the camera likes."""


class Capture:
    """An open camera that captures pictures."""

    def __init__(self, path: str, wanted: Wanted, kernel: Kernel) -> None:
        """
        Args:
            path: the device, for example /dev/video0.
            wanted: the settings.
            kernel: makes the calls.

        Raises:
            AddressError: the device is no camera, or has none of the formats.
            ConnectionLost: it cannot be opened or used.
        """
        self._path, self._kernel = path, kernel
        self._memory: list[Memory] = []
        try:
            self._file = kernel.open(path)
        except OSError as error:
            raise ConnectionLost(self._words(error)) from None
        try:
            self._check()
            self.format = self._choose(wanted)
            """The format that the camera has chosen."""
            self._set_rate(wanted.rate)
            self._begin()
        except OSError as error:
            self.close()
            raise ConnectionLost(self._words(error)) from None
        except AddressError:
            self.close()
            raise

    def read(self, timeout: float) -> Frame | None:
        """Return the next picture; None if none arrives within `timeout` s, or a damaged one.

        Raises:
            ConnectionLost: the camera is gone.
        """
        buffer = self._buffer(0)
        try:
            if not self._kernel.wait(self._file, timeout):
                return None
            self._call("DQBUF", buffer)
            if buffer.index >= len(self._memory):
                raise OSError(errno.EIO, f"buffer {buffer.index} does not exist")
            memory = self._memory[buffer.index]
            data = bytes(memory[: min(buffer.bytesused, len(memory))])
            is_bad = bool(buffer.flags & v4l2.BUF_FLAG_ERROR) or not data
            self._call("QBUF", self._buffer(buffer.index))
        except OSError as error:
            if error.errno == errno.EAGAIN:
                return None
            raise ConnectionLost(self._words(error)) from None
        pix = self.format
        name = v4l2.fourcc_name(pix.pixelformat)
        return None if is_bad else Frame(name, pix.width, pix.height, pix.bytesperline, data)

    def close(self) -> None:
        """Release the camera."""
        for request, argument in (
            ("STREAMOFF", v4l2.BufferType(v4l2.BUF_TYPE_VIDEO_CAPTURE)),
            ("REQBUFS", self._request(0)),
        ):
            try:
                self._call(request, argument)
            except OSError:
                continue  # it is unplugged, or has not begun
        for memory in self._memory:
            if not isinstance(memory, bytearray):
                memory.close()
        self._memory = []
        self._kernel.close(self._file)

    def _call(self, request: str, argument: ctypes.Structure) -> None:
        self._kernel.ioctl(self._file, request, argument)

    def _words(self, error: OSError) -> str:
        """Return what an error of the kernel means, and which cameras there are."""
        why = _REASONS.get(error.errno or 0) or error.strerror or str(error)
        files = sorted(glob("/dev/video*"))
        there = f"; there are: {', '.join(files)}" if files and error.errno == errno.ENOENT else ""
        return f"{self._path}: {why}{there}"

    def _check(self) -> None:
        capability = v4l2.Capability()
        self._call("QUERYCAP", capability)
        can = (
            capability.device_caps
            if capability.capabilities & v4l2.CAP_DEVICE_CAPS
            else capability.capabilities
        )
        if not can & v4l2.CAP_VIDEO_CAPTURE or not can & v4l2.CAP_STREAMING:
            name = bytes(capability.card).decode(errors="replace")
            raise AddressError(
                f'{self._path}: "{name}" captures no pictures; cameras often have a second device without '
                "pictures: try the device before it"
            )

    def _choose(self, wanted: Wanted) -> v4l2.PixFormat:
        """Set the format; return what the camera has made of it."""
        offered = []
        for name in [wanted.format] if wanted.format else FORMATS:
            asked = v4l2.Format(type=v4l2.BUF_TYPE_VIDEO_CAPTURE)
            pix: v4l2.PixFormat = asked.fmt.pix
            pix.width, pix.height, pix.field = wanted.width, wanted.height, v4l2.FIELD_ANY
            pix.pixelformat = v4l2.fourcc(name)
            self._call("S_FMT", asked)
            given = v4l2.fourcc_name(pix.pixelformat)
            if given in FORMATS and given == (wanted.format or given):
                self._check_size(pix)
                return pix
            offered.append(given)
        allowed = wanted.format or ", ".join(FORMATS)
        raise AddressError(f"{self._path}: the camera offers {offered[-1]}; allowed: {allowed}")

    def _check_size(self, pix: v4l2.PixFormat) -> None:
        if not (0 < pix.width <= LARGEST and 0 < pix.height <= LARGEST):
            raise AddressError(
                f"{self._path}: pictures of {pix.width} x {pix.height} pixels; allowed: 1 to {LARGEST}"
            )

    def _set_rate(self, rate: float | None) -> None:
        if rate is None:
            return
        wanted = v4l2.StreamParm(type=v4l2.BUF_TYPE_VIDEO_CAPTURE)
        time = wanted.parm.capture.timeperframe
        time.numerator, time.denominator = 1000, round(1000 * rate)
        try:
            self._call("S_PARM", wanted)
        except OSError:
            return  # not all cameras can

    def _begin(self) -> None:
        request = self._request(BUFFERS)
        self._call("REQBUFS", request)
        for index in range(request.count):
            buffer = self._buffer(index)
            self._call("QUERYBUF", buffer)
            self._memory.append(self._kernel.map(self._file, buffer.length, buffer.m.offset))
            self._call("QBUF", buffer)
        self._call("STREAMON", v4l2.BufferType(v4l2.BUF_TYPE_VIDEO_CAPTURE))

    def _request(self, count: int) -> v4l2.RequestBuffers:
        return v4l2.RequestBuffers(count=count, type=v4l2.BUF_TYPE_VIDEO_CAPTURE, memory=v4l2.MEMORY_MMAP)

    def _buffer(self, index: int) -> v4l2.Buffer:
        return v4l2.Buffer(index=index, type=v4l2.BUF_TYPE_VIDEO_CAPTURE, memory=v4l2.MEMORY_MMAP)
