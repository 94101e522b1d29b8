"""Off-screen targets: buffers that pictures of one size are drawn into."""

from __future__ import annotations

from itertools import count
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from wbridge.wbcore.render.context import GlContext
from wbridge.wbcore.render.memory import read_pixels
from wbridge.wbcore.visual.errors import RenderError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Target", "free_target", "numbered_target"]


class Target:
    """Colors and depths of a picture, with several samples per pixel if it is anti-aliased, and numbers of
    shapes if it is `numbered`."""

    def __init__(self, gl: ModuleType, width: int, height: int, samples: int, numbered: bool) -> None:
        self.width, self.height, self.samples = width, height, samples
        self._gl = gl
        self.is_waiting = False
        """Its picture must be read before another one is drawn."""
        self.frame = self._frame(samples, [gl.GL_RGBA8] + [gl.GL_R32UI] * numbered, True)
        self._resolved = self._frame(0, [gl.GL_RGBA8], False) if samples else self.frame

    def _frame(self, samples: int, formats: list[int], has_depth: bool) -> int:
        gl = self._gl
        made: int = gl.glGenFramebuffers(1)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, made)
        for i, kind in enumerate(formats):
            self._attach(samples, kind, gl.GL_COLOR_ATTACHMENT0 + i)
        if has_depth:
            self._attach(samples, gl.GL_DEPTH_COMPONENT32F, gl.GL_DEPTH_ATTACHMENT)
        gl.glDrawBuffers(len(formats), [gl.GL_COLOR_ATTACHMENT0 + i for i in range(len(formats))])
        if gl.glCheckFramebufferStatus(gl.GL_FRAMEBUFFER) != gl.GL_FRAMEBUFFER_COMPLETE:
            raise RenderError(f"the driver cannot draw pictures of {self.width} by {self.height} pixels")
        return made

    def _attach(self, samples: int, kind: int, place: int) -> None:
        gl = self._gl
        buffer = gl.glGenRenderbuffers(1)
        gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, buffer)
        gl.glRenderbufferStorageMultisample(gl.GL_RENDERBUFFER, samples, kind, self.width, self.height)
        gl.glFramebufferRenderbuffer(gl.GL_FRAMEBUFFER, place, gl.GL_RENDERBUFFER, buffer)

    def bind(self) -> None:
        """Draw into it from now on."""
        gl = self._gl
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self.frame)
        gl.glViewport(0, 0, self.width, self.height)

    def resolve(self) -> None:
        """Average the samples; the colors are the source of the next copy."""
        gl = self._gl
        if self.samples:
            gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, self.frame)
            gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, self._resolved)
            area = (0, 0, self.width, self.height)
            gl.glBlitFramebuffer(*area, *area, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST)
        gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, self._resolved)
        gl.glReadBuffer(gl.GL_COLOR_ATTACHMENT0)

    def read_colors(self, pixels: NDArray[np.uint8]) -> None:
        """Write the four values of each pixel into width * height * 4 bytes, from the first row."""
        gl = self._gl
        self.resolve()
        self._read(gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, pixels)

    def read_numbers(self, numbers: NDArray[np.uint32]) -> None:
        """Write the numbers of the shapes (0: none), from the first row."""
        gl = self._gl
        gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, self.frame)
        gl.glReadBuffer(gl.GL_COLOR_ATTACHMENT1)
        self._read(gl.GL_RED_INTEGER, gl.GL_UNSIGNED_INT, numbers)

    def _read(self, kind: int, type_: int, memory: NDArray[np.generic]) -> None:
        assert memory.flags.c_contiguous and memory.nbytes == self.width * self.height * 4
        read_pixels(self._gl, self.width, self.height, (kind, type_), memory)


def free_target(context: GlContext, width: int, height: int, samples: int = 0) -> Target:
    """Return a target for pictures of a size that holds no picture that waits to be read, shared by all that
    have this size. Call it inside of `use`."""
    with context.use() as gl:
        for number in count():
            key = ("target", width, height, samples, number)
            found = context.share(key, lambda: Target(gl, width, height, samples, False))
            if not found.is_waiting:
                return found
    raise AssertionError("some target is free")


def numbered_target(context: GlContext, width: int, height: int) -> Target:
    """Return the target for the numbers of shapes in pictures of a size. Call it inside of `use`."""
    with context.use() as gl:
        key = ("numbered target", width, height)
        return context.share(key, lambda: Target(gl, width, height, 0, True))
