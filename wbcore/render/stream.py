"""Buffers that are written again and again."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from wbridge.wbcore.render.memory import fill_buffer

if TYPE_CHECKING:
    from numpy.typing import NDArray


__all__ = ["StreamBuffer"]


class StreamBuffer:
    """An OpenGL buffer that is as large as what was written into it last."""

    def __init__(self, gl: ModuleType, kind: int) -> None:
        self._gl, self._kind = gl, kind
        self.name: int = gl.glGenBuffers(1)

    def write(self, data: NDArray[np.generic]) -> None:
        """Replace the content by an array, which must be contiguous."""
        # New memory each time: the driver may still draw from the old one.
        fill_buffer(self._gl, self._kind, self.name, data)
