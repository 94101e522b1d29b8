"""Buffers that are written again and again."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

__all__ = ["StreamBuffer"]


class StreamBuffer:
    """An OpenGL buffer that grows with what is written into it."""

    def __init__(self, gl: Any, kind: int) -> None:
        self._gl, self._kind = gl, kind
        self.name: int = gl.glGenBuffers(1)
        self._room = 0

    def write(self, data: NDArray[Any]) -> None:
        """Replace the content by an array, which must be contiguous."""
        gl, kind = self._gl, self._kind
        gl.glBindBuffer(kind, self.name)
        if data.nbytes > self._room:
            self._room = 2 * data.nbytes
        # New memory each time: the driver may still draw from the old one.
        gl.glBufferData(kind, self._room, None, gl.GL_STREAM_DRAW)
        gl.glBufferSubData(kind, 0, data.nbytes, data)
