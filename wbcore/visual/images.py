"""Picture files of textures as arrays; read when first looked at, and kept."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = ["ImageError", "read_image"]

MOST_PIXELS = 2**28
Image = NDArray[np.uint8]


class ImageError(ValueError):
    """A picture that cannot be read; the message says why."""


def read_image(path: Path) -> Image:
    """The pixels of a PNG or JPEG file.

    Returns:
        (height, width, 4) uint8: red, green, blue, alpha; row 0 is the top.

    Raises:
        ImageError: it is no picture, or too large.
    """
    try:
        return _cached(path, path.stat().st_mtime_ns)
    except OSError as problem:
        raise ImageError(f"{path}: {problem.strerror or 'this is no picture that can be read'}") from None


@lru_cache(maxsize=64)
def _cached(path: Path, modified_ns: int) -> Image:
    """A file that several textures use is read once; `modified_ns` makes a changed one be read again."""
    import PIL.Image  # start-up: 14 ms, few worlds show images

    try:
        with PIL.Image.open(path, formats=("PNG", "JPEG")) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise ImageError(f"{path}: {picture.width} by {picture.height} pixels are too many")
            made = np.asarray(picture.convert("RGBA"))
    except ImageError:
        raise
    except (OSError, ValueError, SyntaxError, PIL.Image.DecompressionBombError) as problem:
        raise ImageError(f"{path}: this is no PNG or JPEG picture that can be read: {problem}") from None
    made.setflags(write=False)
    return made
