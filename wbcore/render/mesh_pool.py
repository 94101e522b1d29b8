"""The vertices and indices of all meshes of the process, in one buffer each."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from wbridge.wbcore.physics.pose import Vec3
from wbridge.wbcore.render.context import GlContext
from wbridge.wbcore.render.forms import DrawnForm
from wbridge.wbcore.render.memory import place_in_buffer
from wbridge.wbcore.render.vertices import FLOATS

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MeshPool", "PooledMesh"]

FLOAT_BYTES = 4
RECORD_BYTES = 64
FIRST_VERTICES, FIRST_INDICES = 2**16, 2**18


@dataclass(frozen=True, slots=True)
class PooledMesh:
    """Where a mesh lies: (first index, number of indices, base vertex, pixels) from coarse to fine, and the
    sphere and the box around it."""

    levels: list[tuple[int, int, int, float]]
    center: Vec3
    radius: float
    half: Vec3


class _GrowingBuffer:
    """A buffer to which arrays are appended."""

    def __init__(self, gl: ModuleType, kind: int, room: int) -> None:
        self.gl, self._kind = gl, kind
        self._vertex_array = gl.glGenVertexArrays(1)
        self.name = gl.glGenBuffers(1)
        self.used, self.room = 0, 0
        self._grow(room)

    def _grow(self, room: int) -> None:
        gl = self.gl
        made = gl.glGenBuffers(1)
        gl.glBindVertexArray(self._vertex_array)
        gl.glBindBuffer(self._kind, made)  # WebGL: what it is for is decided by the first binding
        gl.glBindVertexArray(0)
        gl.glBindBuffer(gl.GL_COPY_WRITE_BUFFER, made)
        gl.glBufferData(gl.GL_COPY_WRITE_BUFFER, room, None, gl.GL_STATIC_DRAW)
        if self.used:
            gl.glBindBuffer(gl.GL_COPY_READ_BUFFER, self.name)
            gl.glCopyBufferSubData(gl.GL_COPY_READ_BUFFER, gl.GL_COPY_WRITE_BUFFER, 0, 0, self.used)
        gl.glDeleteBuffers(1, [self.name])
        self.name, self.room = made, room

    def append(self, data: NDArray[np.generic]) -> bool:
        """Append an array; True if the buffer has a new name."""
        gl, is_new = self.gl, False
        if self.used + data.nbytes > self.room:
            self._grow(max(2 * self.room, self.used + data.nbytes))
            is_new = True
        gl.glBindBuffer(gl.GL_COPY_WRITE_BUFFER, self.name)
        gl.glBufferSubData(gl.GL_COPY_WRITE_BUFFER, self.used, data.nbytes, np.ascontiguousarray(data))
        self.used += data.nbytes
        return is_new

    def write(self, at: int, data: NDArray[np.generic]) -> None:
        """Replace bytes from a place on."""
        self.gl.glBindBuffer(self.gl.GL_COPY_WRITE_BUFFER, self.name)
        self.gl.glBufferSubData(self.gl.GL_COPY_WRITE_BUFFER, at, data.nbytes, np.ascontiguousarray(data))


class MeshPool:
    """Meshes by key; equal meshes of all worlds exist once."""

    def __init__(self, gl: ModuleType) -> None:
        self._meshes: dict[Hashable, PooledMesh] = {}
        self._versions: dict[Hashable, int] = {}
        self._vertices = _GrowingBuffer(gl, gl.GL_ARRAY_BUFFER, FIRST_VERTICES * FLOATS * FLOAT_BYTES)
        self._indices = _GrowingBuffer(gl, gl.GL_ELEMENT_ARRAY_BUFFER, FIRST_INDICES * FLOAT_BYTES)
        self.version = 0
        """Changes when vertex arrays that use the buffers have to be made again."""

    def find(self, form: DrawnForm) -> PooledMesh:
        """Return the mesh of a form, which is made once."""
        found = self._meshes.get(form.key)
        if found is None:
            found = self._meshes[form.key] = self._add(form)
        return found

    def follow(self, form: DrawnForm) -> PooledMesh:
        """Return the mesh of a form, with its vertices where they are now."""
        found = self.find(form)
        version = form.version() if form.version is not None else 0
        if self._versions.get(form.key) != version:
            self._versions[form.key] = version
            for (vertices, _), (_, _, base, _) in zip(form.make(), found.levels, strict=True):
                self._vertices.write(base * FLOATS * FLOAT_BYTES, vertices.data)
                found = PooledMesh(found.levels, *vertices.extent())
            self._meshes[form.key] = found
        return found

    def _add(self, form: DrawnForm) -> PooledMesh:
        levels = []
        for vertices, pixels in form.make():
            base = self._vertices.used // (FLOATS * FLOAT_BYTES)
            first = self._indices.used // FLOAT_BYTES
            moved = self._vertices.append(vertices.data)
            moved = self._indices.append(vertices.indices) or moved
            self.version += moved
            levels.append((first, vertices.indices.size, base, pixels))
        return PooledMesh(levels, *vertices.extent())

    def vertex_array(self, gl: ModuleType, records: int) -> int:
        """Return a vertex array for the meshes, with instance records from a buffer."""
        made: int = gl.glGenVertexArrays(1)
        gl.glBindVertexArray(made)
        gl.glBindBuffer(gl.GL_ELEMENT_ARRAY_BUFFER, self._indices.name)
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self._vertices.name)
        for place, size, start in ((0, 3, 0), (1, 3, 3), (2, 2, 6)):
            offset = place_in_buffer(start * FLOAT_BYTES)
            gl.glVertexAttribPointer(place, size, gl.GL_FLOAT, False, FLOATS * FLOAT_BYTES, offset)
            gl.glEnableVertexAttribArray(place)
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, records)
        for place in (3, 4, 5):
            offset = place_in_buffer((place - 3) * 4 * FLOAT_BYTES)
            gl.glVertexAttribPointer(place, 4, gl.GL_FLOAT, False, RECORD_BYTES, offset)
        gl.glVertexAttribIPointer(6, 4, gl.GL_UNSIGNED_INT, RECORD_BYTES, place_in_buffer(48))
        for place in (3, 4, 5, 6):
            gl.glEnableVertexAttribArray(place)
            gl.glVertexAttribDivisor(place, 1)
        gl.glBindVertexArray(0)
        return made


def mesh_pool(context: GlContext) -> MeshPool:
    """Return the pool of the process. Call it inside of `context.use`."""
    with context.use() as gl:
        return context.share("mesh pool", lambda: MeshPool(gl))
