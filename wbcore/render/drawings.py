"""Draws what a physics plugin draws: points, lines and triangles of one color, without light."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from wbridge.wbcore.render.context import GlContext
from wbridge.wbcore.render.memory import place_in_buffer
from wbridge.wbcore.render.programs import program
from wbridge.wbcore.render.stream import StreamBuffer
from wbridge.wbcore.visual.drawn import Drawn
from wbridge.wbcore.visual.views import View

__all__ = ["Drawings"]

COLOR = "shown"


class Drawings:
    """The buffers for the drawings of one world."""

    def __init__(self, context: GlContext, gl: ModuleType) -> None:
        self._context = context
        self._buffer = StreamBuffer(gl, gl.GL_ARRAY_BUFFER)
        self._vertex_array: int = gl.glGenVertexArrays(1)

    def draw(self, gl: ModuleType, view: View, is_late: bool, conditions: tuple[str, ...]) -> None:
        """Draw into the current target what belongs before the shapes of the world, or after them.

        Args:
            gl: the functions of OpenGL.
            view: has the drawings.
            is_late: those after the shapes.
            conditions: macros of the program.
        """
        chosen = [drawing for drawing in view.drawings if drawing.is_late == is_late and len(drawing.at)]
        if not chosen:
            return
        name = program(self._context, "drawn.vert", "drawn.frag", conditions)
        place = self._context.share((name, COLOR), lambda: int(gl.glGetUniformLocation(name, COLOR)))
        gl.glUseProgram(name)
        gl.glDisable(gl.GL_CULL_FACE)
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFuncSeparate(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA, gl.GL_ONE, gl.GL_ONE)
        gl.glBindVertexArray(self._vertex_array)
        for drawing in chosen:
            gl.glUniform4f(place, *drawing.color)
            self._draw(gl, drawing)
        gl.glBindVertexArray(0)
        gl.glDisable(gl.GL_BLEND)
        gl.glEnable(gl.GL_DEPTH_TEST)

    def _draw(self, gl: ModuleType, drawing: Drawn) -> None:
        (gl.glEnable if drawing.is_hidden else gl.glDisable)(gl.GL_DEPTH_TEST)
        if drawing.corners == 1:
            gl.glPointSize(max(drawing.size, 1.0))
        self._buffer.write(np.ascontiguousarray(drawing.at, dtype=np.float32))
        gl.glEnableVertexAttribArray(0)
        gl.glVertexAttribPointer(0, 3, gl.GL_FLOAT, gl.GL_FALSE, 0, place_in_buffer(0))
        mode = (gl.GL_POINTS, gl.GL_LINES, gl.GL_TRIANGLES)[drawing.corners - 1]
        gl.glDrawArrays(mode, 0, len(drawing.at))
