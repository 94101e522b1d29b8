"""Buffers that are written again and again."""

from __future__ import annotations

from ctypes import c_void_p
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


__all__ = ["StreamBuffer"]


class StreamBuffer:
    """An OpenGL buffer that is as large as what was written into it last."""

    def __init__(self, gl: ModuleType, kind: int) -> None:
        self._gl, self._kind = gl, kind
        self.name: int = gl.glGenBuffers(1)
        from OpenGL.raw.GL.VERSION.GL_1_5 import glBufferData  # start-up: only for pictures

        self._fill = glBufferData

    def write(self, data: NDArray[np.generic]) -> None:
        """Replace the content by an array, which must be contiguous."""
        # New memory each time: the driver may still draw from the old one.
        self._gl.glBindBuffer(self._kind, self.name)
        self._fill(self._kind, data.nbytes, c_void_p(data.ctypes.data), self._gl.GL_STREAM_DRAW)
