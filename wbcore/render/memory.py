"""Calls of OpenGL that get memory: its address on computers, the array itself in a web page."""

from __future__ import annotations

import sys
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

if sys.platform == "emscripten":

    def place_in_buffer(start: int) -> object:
        """Return what OpenGL takes as a place in a buffer, in bytes."""
        return start

    def fill_buffer(gl: ModuleType, kind: int, name: int, data: NDArray[np.generic]) -> None:
        """Bind a buffer, and replace its content by a contiguous array."""
        gl.fillBuffer(kind, name, data)

    def read_pixels(
        gl: ModuleType, width: int, height: int, form: tuple[int, int], memory: NDArray[np.generic]
    ) -> None:
        """Read pixels from the current frame into a contiguous array; `form`: their format and type."""
        gl.glReadPixels(width, height, *form, memory)

else:
    from ctypes import c_void_p

    def place_in_buffer(start: int) -> object:
        """Return what OpenGL takes as a place in a buffer, in bytes."""
        return c_void_p(start)

    def fill_buffer(gl: ModuleType, kind: int, name: int, data: NDArray[np.generic]) -> None:
        """Bind a buffer, and replace its content by a contiguous array."""
        from OpenGL.raw.GL.VERSION.GL_1_5 import glBufferData  # start-up: only for pictures

        gl.glBindBuffer(kind, name)
        glBufferData(kind, data.nbytes, c_void_p(data.ctypes.data), gl.GL_STREAM_DRAW)

    def read_pixels(
        gl: ModuleType, width: int, height: int, form: tuple[int, int], memory: NDArray[np.generic]
    ) -> None:
        """Read pixels from the current frame into a contiguous array; `form`: their format and type."""
        from OpenGL.raw.GL.VERSION.GL_1_0 import glReadPixels  # start-up: only for pictures

        glReadPixels(0, 0, width, height, *form, c_void_p(memory.ctypes.data))
