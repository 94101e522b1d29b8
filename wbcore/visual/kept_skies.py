"""Faces of skies that are kept between runs, in the user's cache folder: reading takes less time than making.

A file is used only if it was written by the same code and has no damage; otherwise the faces are made again.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wbridge.hal.folders import optional_cache_folder, replacement

CHECK_BYTES = 4
"""Before the pixels: their checksum."""


def kept_faces(
    name: str, size: int, source: str, make: Callable[[], tuple[NDArray[np.uint8], ...]]
) -> tuple[NDArray[np.uint8], ...]:
    """Return the six faces of a sky, made or read.

    Args:
        name: of the sky.
        size: pixels along each edge of a face.
        source: the file with the code that makes the faces; a change of it invalidates what is kept.
        make: makes the faces.
    """
    path = _path(name, source)
    faces = None if path is None else _read(path, size)
    if faces is None:
        faces = make()
        if path is not None:
            _write(path, faces)
    return faces


def _path(name: str, source: str) -> Path | None:
    """Return the file of a sky; None if nothing can be kept."""
    folder = optional_cache_folder()
    code = _code(source)
    return folder / "skies" / f"{name}-{code:08x}" if folder is not None and code is not None else None


@cache
def _code(source: str) -> int | None:
    try:
        return zlib.crc32(np.__version__.encode() + Path(source).read_bytes())
    except OSError:  # an archive of modules, as in pages
        return None


def _read(path: Path, size: int) -> tuple[NDArray[np.uint8], ...] | None:
    try:
        data = path.read_bytes()
    except OSError:
        return None
    check, pixels = data[:CHECK_BYTES], data[CHECK_BYTES:]
    if len(pixels) != 6 * size * size * 3 or zlib.crc32(pixels).to_bytes(CHECK_BYTES, "little") != check:
        return None
    return tuple(np.frombuffer(pixels, np.uint8).reshape(6, size, size, 3))


def _write(path: Path, faces: tuple[NDArray[np.uint8], ...]) -> None:
    """Keep the faces, if the folder can be written."""
    pixels = b"".join(face.tobytes() for face in faces)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacement(path) as draft:
            draft.write_bytes(zlib.crc32(pixels).to_bytes(CHECK_BYTES, "little") + pixels)
        for former in path.parent.glob(f"{path.name.rpartition('-')[0]}-*"):
            if former != path:
                former.unlink(missing_ok=True)
    except OSError:
        pass  # the next run makes them again
