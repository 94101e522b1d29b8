"""The duration of WAV files, read from their bytes.

Source: the "RIFF WAVE" format: chunks of a name, a size (u32, little endian) and that many bytes; "fmt "
holds the bytes per second at offset 8, "data" the samples.
"""

from __future__ import annotations

import struct
from pathlib import Path

__all__ = ["SoundError", "duration", "read_sound"]

MOST_BYTES = 2**26
_HEAD = struct.Struct("<4sI4s")
_CHUNK = struct.Struct("<4sI")
_RATE = struct.Struct("<8xI")


class SoundError(ValueError):
    """A sound file cannot be read."""


def duration(content: bytes) -> float:
    """Return the duration of a WAV file in s, at its original pitch.

    Raises:
        SoundError: the bytes are not a WAV file.
    """
    if len(content) < _HEAD.size or _HEAD.unpack_from(content)[::2] != (b"RIFF", b"WAVE"):
        raise SoundError("it is not a WAV file")
    at, rate = _HEAD.size, 0
    while at + _CHUNK.size <= len(content):
        name, size = _CHUNK.unpack_from(content, at)
        at += _CHUNK.size
        if name == b"fmt " and at + _RATE.size <= len(content):
            (rate,) = _RATE.unpack_from(content, at)
        elif name == b"data":
            if rate == 0:
                break
            return min(int(size), len(content) - at) / rate
        at += size + size % 2
    raise SoundError("it is a damaged WAV file")


def read_sound(name: str, folders: list[Path]) -> bytes:
    """Return the bytes of a file, given by an absolute path or relative to one of the folders.

    Raises:
        SoundError: the file does not exist, is not a regular file, or is too large.
    """
    for folder in folders:
        path = folder / name
        try:
            if path.is_file():
                if path.stat().st_size > MOST_BYTES:
                    raise SoundError(f"it has more than {MOST_BYTES} bytes")
                return path.read_bytes()
        except (OSError, ValueError) as problem:
            raise SoundError(f"it cannot be read: {problem}") from None
    raise SoundError(f"no such file in {' or '.join(str(folder) for folder in folders)}")
