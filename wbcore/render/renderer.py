"""Draws pictures of one world."""

from __future__ import annotations

from ctypes import c_void_p
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbcore.render.atmosphere import Atmosphere, atmosphere_of
from wbcore.render.context import GlContext, current_context
from wbcore.render.drawn_scene import EVERYWHERE, DrawnScene, World
from wbcore.render.lights import WorldLights
from wbcore.render.materials import MAPS, Group
from wbcore.render.mesh_pool import mesh_pool
from wbcore.render.programs import program
from wbcore.render.single import single
from wbcore.render.stream import StreamBuffer
from wbcore.render.targets import Target, target
from wbcore.render.textures import reflectance_table, texture_name
from wbcore.visual.views import View

__all__ = ["Renderer"]

SAMPLES = 4
"""Samples per pixel of an anti-aliased picture."""
COMMAND_BYTES = 20
REFLECTANCE_UNIT, MATERIAL_UNIT = 12, 15


class Renderer:
    """Draws what views show. Call `follow` when time has passed, then `draw` for each picture."""

    def __init__(self, world: World) -> None:
        """
        Raises:
            RenderError: there is no OpenGL; the message says what to install.
        """
        self.context: GlContext = current_context()
        self.scene = DrawnScene(world)
        self._physics = world.physics
        self._version = -1
        self._lights: WorldLights
        self._atmosphere = Atmosphere()
        with self.context.use() as gl:
            self._pool = mesh_pool(self.context)
            self._records = StreamBuffer(gl, gl.GL_ARRAY_BUFFER)
            self._commands = StreamBuffer(gl, gl.GL_DRAW_INDIRECT_BUFFER)
            self._view_block = StreamBuffer(gl, gl.GL_UNIFORM_BUFFER)
            self._light_block = StreamBuffer(gl, gl.GL_UNIFORM_BUFFER)
            self._materials = StreamBuffer(gl, gl.GL_TEXTURE_BUFFER)
            self._material_texture = gl.glGenTextures(1)
        self._vertex_array = 0
        self._pool_key: tuple[int, int] = (-1, -1)

    def follow(self) -> None:
        """Follow the bodies, and apply changes of the tree."""
        with self.context.use() as gl:
            scene = self.scene
            if scene.refresh(self._pool):
                self._materials.write(scene.records)
            if self._version != scene.version:
                self._version = scene.version
                self._lights = WorldLights(self._physics)
                self._atmosphere = atmosphere_of(self._physics.world)
            self._lights.read()
            self._light_block.write(self._lights.records)
            self._conditions = self._definitions()
            scene.list.update()
            self._attach(gl)

    def _definitions(self) -> tuple[str, ...]:
        """Return the macros of all programs that light surfaces."""
        kinds = zip(("DIRECTIONAL", "POINTS", "SPOTS"), self._lights.counts, strict=True)
        fog = ("FOG",) if self._atmosphere.fog_type else ()
        return (*(f"{name} {count}" for name, count in kinds), *fog)

    def _attach(self, gl: Any) -> None:
        """Make the vertex array again when a buffer has a new name."""
        key = (self._pool.version, self._records.name)
        if key != self._pool_key:
            self._pool_key = key
            if self._vertex_array:
                gl.glDeleteVertexArrays(1, [self._vertex_array])
            self._vertex_array = self._pool.vertex_array(gl, self._records.name)

    def draw(self, view: View, pixels: NDArray[np.uint8], smooth: bool = False) -> None:
        """Draw a picture.

        Args:
            view: what it shows.
            pixels: gets blue, green, red, alpha of each pixel, from the top left: width * height * 4 bytes.
            smooth: with anti-aliasing.
        """
        with self.context.use() as gl:
            goal = target(self.context, view.width, view.height, SAMPLES if smooth else 0)
            self._start(gl, goal, view)
            self._draw_shapes(gl, view)
            goal.read_colors(pixels)

    def _start(self, gl: Any, goal: Target, view: View) -> None:
        goal.bind()
        glow = np.array(self._atmosphere.glow)
        sky = (1 - np.exp(-glow * view.exposure)) ** (1 / 2.2)
        gl.glClearColor(*sky, 1.0)
        gl.glDepthMask(True)
        gl.glClear(gl.GL_COLOR_BUFFER_BIT | gl.GL_DEPTH_BUFFER_BIT)
        gl.glEnable(gl.GL_DEPTH_TEST)
        gl.glEnable(gl.GL_CULL_FACE)
        gl.glFrontFace(gl.GL_CW)  # pictures are drawn upside down, so that the first row is the top
        self._view_block.write(self._block(view))

    def _block(self, view: View) -> NDArray[np.float32]:
        """Return the uniform block of `shaders/view.glsl`."""
        air, block = self._atmosphere, np.zeros((26, 4))
        block[0:4] = view.clip_matrix().T
        block[4] = (*view.eye, view.exposure)
        block[5] = (*view.forward, 0)
        block[6] = (*air.sky, air.luminosity)
        block[7, :3] = self._lights.ambient
        block[8] = (*air.fog, air.fog_type)
        block[9, 0] = 1 / air.visibility
        return single(block)

    def _draw_shapes(self, gl: Any, view: View) -> None:
        records, commands, runs = self.scene.list.choose(
            view.eye, view.right, view.up, view.forward, (*view.reach, view.near, view.far),
            pixels=view.height / 2, mask=EVERYWHERE | view.hidden_from,
        )  # fmt: skip
        if not len(runs):
            return
        self._records.write(records)
        self._commands.write(commands)
        self._attach(gl)
        gl.glBindVertexArray(self._vertex_array)
        gl.glBindBuffer(gl.GL_DRAW_INDIRECT_BUFFER, self._commands.name)
        gl.glBindBufferBase(gl.GL_UNIFORM_BUFFER, 0, self._view_block.name)
        gl.glBindBufferBase(gl.GL_UNIFORM_BUFFER, 1, self._light_block.name)
        gl.glActiveTexture(gl.GL_TEXTURE0 + MATERIAL_UNIT)
        gl.glBindTexture(gl.GL_TEXTURE_BUFFER, self._material_texture)
        gl.glTexBuffer(gl.GL_TEXTURE_BUFFER, gl.GL_RGBA32F, self._materials.name)
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFuncSeparate(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA, gl.GL_ONE, gl.GL_ONE)
        for group, first, count in runs.tolist():
            self._use(gl, self.scene.groups[group])
            mode = (gl.GL_POINTS, gl.GL_LINES, gl.GL_TRIANGLES)[self.scene.groups[group].corners - 1]
            start = c_void_p(first * COMMAND_BYTES)
            gl.glMultiDrawElementsIndirect(mode, gl.GL_UNSIGNED_INT, start, count, 0)
        gl.glDisable(gl.GL_BLEND)
        gl.glBindVertexArray(0)

    def _use(self, gl: Any, group: Group) -> None:
        """Use the program and the textures of a group."""
        if group.corners < 3:
            gl.glUseProgram(program(self.context, "scene.vert", "unlit.frag", ("UNLIT",)))
            return
        maps = tuple(f"MAP{i}" for i, use in enumerate(group.textures) if use is not None)
        fragment = "pbr.frag" if group.is_physical else "phong.frag"
        gl.glUseProgram(program(self.context, "scene.vert", fragment, maps + self._conditions))
        for unit, use in enumerate(group.textures):
            if use is not None:
                gl.glActiveTexture(gl.GL_TEXTURE0 + unit)
                gl.glBindTexture(gl.GL_TEXTURE_2D, texture_name(self.context, use))
        if group.is_physical:
            gl.glActiveTexture(gl.GL_TEXTURE0 + REFLECTANCE_UNIT)
            gl.glBindTexture(gl.GL_TEXTURE_2D, reflectance_table(self.context))


assert len(MAPS) < REFLECTANCE_UNIT
