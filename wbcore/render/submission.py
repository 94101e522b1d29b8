"""Hands chosen instances to OpenGL: records, materials, and one indirect call per group."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from wbridge.wbcore.render.materials import Group
from wbridge.wbcore.render.memory import place_in_buffer
from wbridge.wbcore.render.mesh_pool import MeshPool
from wbridge.wbcore.render.stream import StreamBuffer

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Chosen", "Submission"]

COMMAND_BYTES = 20
MATERIAL_UNIT = 15
Chosen: TypeAlias = "tuple[NDArray[np.generic], NDArray[np.generic], NDArray[np.generic]]"
"""Records, commands and runs, as `DrawList.choose` returns them."""


class Submission:
    """The buffers through which the instances of one world are drawn."""

    def __init__(self, gl: ModuleType, pool: MeshPool) -> None:
        self._pool = pool
        self._records = StreamBuffer(gl, gl.GL_ARRAY_BUFFER)
        self._commands = StreamBuffer(gl, gl.GL_DRAW_INDIRECT_BUFFER)
        self.materials = StreamBuffer(gl, gl.GL_TEXTURE_BUFFER)
        """Their records."""
        self._material_texture: int = gl.glGenTextures(1)
        self._vertex_array = 0
        self._version = -1

    def draw(
        self, gl: ModuleType, chosen: Chosen, groups: Sequence[Group], prepare: Callable[[Group], bool]
    ) -> None:
        """Draw instances.

        Args:
            gl: the functions of OpenGL.
            chosen: what to draw.
            groups: by the numbers in `chosen`.
            prepare: sets the program and the textures of a group; returns False to leave it out.
        """
        records, commands, runs = chosen
        if not len(runs):
            return
        self._records.write(records)
        self._commands.write(commands)
        self._attach(gl)
        gl.glBindVertexArray(self._vertex_array)
        gl.glBindBuffer(gl.GL_DRAW_INDIRECT_BUFFER, self._commands.name)
        gl.glActiveTexture(gl.GL_TEXTURE0 + MATERIAL_UNIT)
        gl.glBindTexture(gl.GL_TEXTURE_BUFFER, self._material_texture)
        gl.glTexBuffer(gl.GL_TEXTURE_BUFFER, gl.GL_RGBA32F, self.materials.name)
        modes = (gl.GL_POINTS, gl.GL_LINES, gl.GL_TRIANGLES)
        for group, first, count in runs.tolist():
            if prepare(groups[group]):
                start = place_in_buffer(first * COMMAND_BYTES)
                mode = modes[groups[group].corners - 1]
                gl.glMultiDrawElementsIndirect(mode, gl.GL_UNSIGNED_INT, start, count, 0)
        gl.glBindVertexArray(0)

    def _attach(self, gl: ModuleType) -> None:
        """Make the vertex array again when the meshes lie in new buffers."""
        if self._version == self._pool.version:
            return
        self._version = self._pool.version
        if self._vertex_array:
            gl.glDeleteVertexArrays(1, [self._vertex_array])
        self._vertex_array = self._pool.vertex_array(gl, self._records.name)
