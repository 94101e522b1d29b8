"""Image files of textures as arrays, loaded on first use and cached."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ImageError", "image_buffer", "read_image"]

MOST_PIXELS = 2**26
"""8192 by 8192 pixels: 256 MB."""
Image: TypeAlias = "NDArray[np.uint8]"
Kind = TypeVar("Kind")


class ImageError(ValueError):
    """Raised for an image that cannot be read; the message says why."""


def read_image(path: Path) -> Image:
    """Return the pixels of a PNG or JPEG file.

    Returns:
        (height, width, 4) uint8: red, green, blue, alpha; row 0 is the top.

    Raises:
        ImageError: the file is not an image, or too large.
    """
    return _read(_array, path)


def image_buffer(path: Path) -> memoryview:
    """Return the same as `read_image` as a buffer, which does not need numpy.

    Raises:
        ImageError: the file is not an image, or too large.
    """
    return _read(_cached, path)


def _read(reader: Callable[[Path, int], Kind], path: Path) -> Kind:
    try:
        return reader(path, path.stat().st_mtime_ns)
    except OSError as problem:
        raise ImageError(f"{path}: {problem.strerror or 'not a readable image'}") from None


@lru_cache(maxsize=64)
def _array(path: Path, modified_ns: int) -> Image:
    return np.asarray(_cached(path, modified_ns))


@lru_cache(maxsize=64)
def _cached(path: Path, modified_ns: int) -> memoryview:
    """Read a file once for all textures that use it; `modified_ns` makes a changed file a new entry."""
    import PIL.Image  # start-up: 14 ms, few worlds show images

    try:
        with warnings.catch_warnings():
            # Pillow warns of large pictures and raises for larger ones; the limit here is lower than both.
            warnings.simplefilter("ignore", PIL.Image.DecompressionBombWarning)
            picture = PIL.Image.open(path, formats=("PNG", "JPEG", "BMP"))
        with picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise ImageError(f"{path}: {picture.width} x {picture.height} pixels; allowed: {MOST_PIXELS}")
            pixels = picture.convert("RGBA").tobytes()
            shape = (picture.height, picture.width, 4)
    except ImageError:
        raise
    except MemoryError:
        raise ImageError(f"{path}: there is not enough memory for the image") from None
    except PIL.Image.DecompressionBombError:
        raise ImageError(f"{path}: too many pixels; allowed: {MOST_PIXELS}") from None
    except PIL.UnidentifiedImageError:
        raise ImageError(f"{path}: not a readable PNG, JPEG or BMP image") from None
    except (OSError, ValueError, SyntaxError) as problem:
        raise ImageError(f"{path}: not a readable PNG, JPEG or BMP image: {problem}") from None
    return memoryview(pixels).cast("B", shape)
