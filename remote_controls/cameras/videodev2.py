"""The part of Video4Linux2 that capturing needs: structures and request numbers of <linux/videodev2.h>.

Names are those of the header without the prefix. Source: the kernel's documentation, "Video for Linux API".
"""

from __future__ import annotations

import ctypes
from ctypes import c_char, c_int32, c_long, c_uint8, c_uint32

CAP_VIDEO_CAPTURE, CAP_STREAMING, CAP_DEVICE_CAPS = 0x1, 0x04000000, 0x80000000
BUF_TYPE_VIDEO_CAPTURE, MEMORY_MMAP, FIELD_ANY = 1, 1, 0
BUF_FLAG_ERROR = 0x40
"""The data of this buffer may be corrupted."""


def fourcc(name: str) -> int:
    """The number of a pixel format, for example "MJPG"."""
    return int.from_bytes(name.encode("ascii"), "little")


def fourcc_name(number: int) -> str:
    """The name of a pixel format."""
    return number.to_bytes(4, "little").decode("latin-1").strip()


class Capability(ctypes.Structure):
    """What a device is and can do."""

    _fields_ = (
        ("driver", c_char * 16),
        ("card", c_char * 32),
        ("bus_info", c_char * 32),
        ("version", c_uint32),
        ("capabilities", c_uint32),
        ("device_caps", c_uint32),
        ("reserved", c_uint32 * 3),
    )


class PixFormat(ctypes.Structure):
    """Size and format of pictures."""

    _fields_ = (
        ("width", c_uint32),
        ("height", c_uint32),
        ("pixelformat", c_uint32),
        ("field", c_uint32),
        ("bytesperline", c_uint32),
        ("sizeimage", c_uint32),
        ("colorspace", c_uint32),
        ("priv", c_uint32),
        ("flags", c_uint32),
        ("ycbcr_enc", c_uint32),
        ("quantization", c_uint32),
        ("xfer_func", c_uint32),
    )


class FormatUnion(ctypes.Union):
    """The format by type of buffer; one of the others has pointers, which sets the alignment."""

    _fields_ = (("pix", PixFormat), ("pointer", ctypes.c_void_p), ("raw", c_uint8 * 200))


class Format(ctypes.Structure):
    """The format of a stream."""

    _fields_ = (("type", c_uint32), ("fmt", FormatUnion))


class Fraction(ctypes.Structure):
    """A time in s."""

    _fields_ = (("numerator", c_uint32), ("denominator", c_uint32))


class CaptureParm(ctypes.Structure):
    """Parameters of a capture."""

    _fields_ = (
        ("capability", c_uint32),
        ("capturemode", c_uint32),
        ("timeperframe", Fraction),
        ("extendedmode", c_uint32),
        ("readbuffers", c_uint32),
        ("reserved", c_uint32 * 4),
    )


class ParmUnion(ctypes.Union):
    """Parameters by type of buffer."""

    _fields_ = (("capture", CaptureParm), ("raw", c_uint8 * 200))


class StreamParm(ctypes.Structure):
    """Parameters of a stream."""

    _fields_ = (("type", c_uint32), ("parm", ParmUnion))


class RequestBuffers(ctypes.Structure):
    """A request for buffers in the kernel."""

    _fields_ = (
        ("count", c_uint32),
        ("type", c_uint32),
        ("memory", c_uint32),
        ("capabilities", c_uint32),
        ("flags", c_uint8),
        ("reserved", c_uint8 * 3),
    )


class TimeVal(ctypes.Structure):
    """A time."""

    _fields_ = (("tv_sec", c_long), ("tv_usec", c_long))


class TimeCode(ctypes.Structure):
    """A time code of film."""

    _fields_ = (
        ("type", c_uint32),
        ("flags", c_uint32),
        ("frames", c_uint8),
        ("seconds", c_uint8),
        ("minutes", c_uint8),
        ("hours", c_uint8),
        ("userbits", c_uint8 * 4),
    )


class Place(ctypes.Union):
    """Where a buffer is, by kind of memory."""

    _fields_ = (("offset", c_uint32), ("userptr", ctypes.c_ulong), ("fd", c_int32))


class Buffer(ctypes.Structure):
    """A buffer with a picture."""

    _fields_ = (
        ("index", c_uint32),
        ("type", c_uint32),
        ("bytesused", c_uint32),
        ("flags", c_uint32),
        ("field", c_uint32),
        ("timestamp", TimeVal),
        ("timecode", TimeCode),
        ("sequence", c_uint32),
        ("memory", c_uint32),
        ("m", Place),
        ("length", c_uint32),
        ("reserved2", c_uint32),
        ("request_fd", c_int32),
    )


class BufferType(ctypes.Structure):
    """The argument of STREAMON and STREAMOFF, a single int."""

    _fields_ = (("type", ctypes.c_int),)


_WRITE, _READ = 1, 2


def _request(direction: int, number: int, kind: type[ctypes.Structure]) -> int:
    """The number of an ioctl: direction, size of the argument, group and number."""
    return direction << 30 | ctypes.sizeof(kind) << 16 | ord("V") << 8 | number


REQUESTS: dict[str, int] = {
    "QUERYCAP": _request(_READ, 0, Capability),
    "S_FMT": _request(_READ | _WRITE, 5, Format),
    "REQBUFS": _request(_READ | _WRITE, 8, RequestBuffers),
    "QUERYBUF": _request(_READ | _WRITE, 9, Buffer),
    "QBUF": _request(_READ | _WRITE, 15, Buffer),
    "DQBUF": _request(_READ | _WRITE, 17, Buffer),
    "STREAMON": _request(_WRITE, 18, BufferType),
    "STREAMOFF": _request(_WRITE, 19, BufferType),
    "S_PARM": _request(_READ | _WRITE, 22, StreamParm),
}
"""Numbers of the requests, as on x86, ARM and RISC-V."""
