"""A plain picture in OpenGL, as a yardstick for cameras: layers of shaded triangles, read back to memory."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from benchmarks.case import seconds_of
from wbridge.wbcore.render.context import current_context

__all__ = ["PLAIN_PICTURE", "plain_picture", "plain_pictures"]

PLAIN_PICTURE = "a plain picture in OpenGL"
LAYERS = 8
"""Triangles that cover the picture, each half transparent: about as much work as the objects of a scene."""
VERTEX = """#version 330
out vec2 at;
void main() {
  at = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
  gl_Position = vec4(2.0 * at - 1.0, 0.5, 1.0);
}
"""
FRAGMENT = """#version 330
in vec2 at;
out vec4 color;
void main() {
  vec3 normal = normalize(vec3(at - 0.5, 1.0));
  float light = max(dot(normal, normalize(vec3(0.4, 0.3, 1.0))), 0.0);
  float spot = pow(max(dot(normal, normalize(vec3(1.0 - at, 2.0))), 0.0), 8.0);
  color = vec4(light * vec3(0.8, 0.6, at.x) + spot * 0.2, 0.5);
}
"""


class _Picture:
    """A program, a framebuffer and the memory of a picture; used inside of the context."""

    def __init__(self, gl: Any, width: int, height: int) -> None:
        self._gl, self.width, self.height = gl, width, height
        self._pixels = np.zeros((height, width, 4), np.uint8)
        self._program = gl.glCreateProgram()
        self._vertices = gl.glGenVertexArrays(1)
        for kind, text in ((gl.GL_VERTEX_SHADER, VERTEX), (gl.GL_FRAGMENT_SHADER, FRAGMENT)):
            shader = gl.glCreateShader(kind)
            gl.glShaderSource(shader, text)
            gl.glCompileShader(shader)
            gl.glAttachShader(self._program, shader)
        gl.glLinkProgram(self._program)
        self._frame = gl.glGenFramebuffers(1)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._frame)
        for storage, place in (
            (gl.GL_RGBA8, gl.GL_COLOR_ATTACHMENT0),
            (gl.GL_DEPTH_COMPONENT32F, gl.GL_DEPTH_ATTACHMENT),
        ):
            buffer = gl.glGenRenderbuffers(1)
            gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, buffer)
            gl.glRenderbufferStorage(gl.GL_RENDERBUFFER, storage, width, height)
            gl.glFramebufferRenderbuffer(gl.GL_FRAMEBUFFER, place, gl.GL_RENDERBUFFER, buffer)

    def take(self) -> None:
        """Draw and read it."""
        gl = self._gl
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._frame)
        gl.glViewport(0, 0, self.width, self.height)
        gl.glUseProgram(self._program)
        gl.glBindVertexArray(self._vertices)
        gl.glClear(gl.GL_COLOR_BUFFER_BIT | gl.GL_DEPTH_BUFFER_BIT)
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFunc(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA)
        gl.glDrawArraysInstanced(gl.GL_TRIANGLES, 0, 3, LAYERS)
        gl.glDisable(gl.GL_BLEND)
        gl.glReadPixels(0, 0, self.width, self.height, gl.GL_BGRA, gl.GL_UNSIGNED_BYTE, self._pixels)


def plain_picture(width: int, height: int) -> float:
    """Seconds of a plain picture; its framebuffer is made before the first one of a size."""
    return plain_pictures([(width, height)])


def plain_pictures(sizes: list[tuple[int, int]]) -> float:
    """Seconds of plain pictures of several sizes, one after another."""
    context = current_context()
    with context.use() as gl:
        bound = gl.glGetIntegerv(gl.GL_CURRENT_PROGRAM), gl.glGetIntegerv(gl.GL_VERTEX_ARRAY_BINDING)
        pictures = [context.share(("plain picture", size), partial(_Picture, gl, *size)) for size in sizes]
        taken = seconds_of(partial(_take_all, pictures))()
        gl.glUseProgram(bound[0])
        gl.glBindVertexArray(bound[1])
    return taken


def _take_all(pictures: list[_Picture]) -> None:
    for picture in pictures:
        picture.take()
