"""Draws pictures of one world."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from math import log2
from types import ModuleType
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from wbridge.wbcore.render.atmosphere import Atmosphere, atmosphere_of
from wbridge.wbcore.render.context import GlContext, current_context
from wbridge.wbcore.render.drawings import Drawings
from wbridge.wbcore.render.drawn_scene import CASTS_SHADOW, EVERYWHERE, DrawnScene, World
from wbridge.wbcore.render.effects import fill, with_effects
from wbridge.wbcore.render.film import filmed
from wbridge.wbcore.render.light_macros import light_macros
from wbridge.wbcore.render.light_targets import LightPicture, light_target
from wbridge.wbcore.render.lights import WorldLights
from wbridge.wbcore.render.materials import MAPS, PHYSICAL, SHINY, Group
from wbridge.wbcore.render.mesh_pool import mesh_pool
from wbridge.wbcore.render.numbering import draw_numbers
from wbridge.wbcore.render.panorama import draw_panorama
from wbridge.wbcore.render.programs import program
from wbridge.wbcore.render.segments import SegmentColors
from wbridge.wbcore.render.shadow_passes import CUBE_UNIT as SHADOW_CUBE_UNIT
from wbridge.wbcore.render.shadow_passes import ShadowPasses
from wbridge.wbcore.render.shadows import LightView
from wbridge.wbcore.render.sky import LIGHT_SIZE, backdrop_cube, backdrop_light, light_cube, sky_cube
from wbridge.wbcore.render.stream import StreamBuffer
from wbridge.wbcore.render.submission import Chosen, Submission
from wbridge.wbcore.render.targets import Target, free_target, numbered_target
from wbridge.wbcore.render.textures import reflectance_table, texture_name
from wbridge.wbcore.render.view_block import ViewBlock
from wbridge.wbcore.visual.views import NO_EFFECTS, View

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Renderer"]

SAMPLES = 4
"""Samples per pixel of an anti-aliased picture."""
REFLECTANCE_UNIT, CUBE_UNIT = 12, 13
LIGHT_ONLY = "LINEAR"
"""Without the tone map."""
FINE = "FINE"
CORNERS_OF_FACES = 3
Z = 2
POINT_PIXELS = 4.0
"""The diameter of the points of a PointSet, as in Webots."""


class Renderer:
    """Draws what views show. Call `follow` when time has passed, then `draw` for each picture."""

    def __init__(self, world: World) -> None:
        """
        Raises:
            RenderError: there is no OpenGL; the message says what to install.
        """
        self.context: GlContext = current_context()
        self.scene = DrawnScene(world)
        self._segments = SegmentColors(self.scene, world)
        self._physics, self._edits, self._live = world.physics, world.edits, world.live_textures
        self._followed: tuple[int, ...] = (-1, -1, -1)
        self._version = self._air_version = -1
        self._lights: WorldLights
        self._atmosphere = Atmosphere()
        self._conditions: dict[bool, tuple[str, ...]] = {}
        """Macros of all programs that light surfaces, by whether looks are fine."""
        with self.context.use() as gl:
            self._pool = mesh_pool(self.context)
            self._submission = Submission(gl, self._pool)
            self._view_block = ViewBlock(gl)
            self._shadows = ShadowPasses(self._view_block)
            self._light_block = StreamBuffer(gl, gl.GL_UNIFORM_BUFFER)
            self._drawings = Drawings(self.context, gl)
        self._histories: WeakKeyDictionary[object, dict[object, LightPicture]] = WeakKeyDictionary()
        """By camera: the pictures that remain in part, by face and size."""

    def follow(self, only_steps: bool = False) -> None:
        """Follow the bodies, and apply changes of the tree.

        Args:
            only_steps: do nothing if neither a step was made nor the tree changed since the last call.
        """
        now = (int(self._physics.engine.steps), self._edits.looks, self._live.version)
        if only_steps and now == self._followed:
            return
        is_changed, self._followed = now[1:] != self._followed[1:], now
        with self.context.use():
            scene = self.scene
            if scene.refresh(self._pool):
                self._submission.materials.write(scene.records)
            if self._version != scene.version:
                self._version = scene.version
                self._lights = WorldLights(self._physics)
                is_changed = True
            if self._air_version != scene.air_version:
                self._air_version = scene.air_version
                self._atmosphere = atmosphere_of(self._physics.world)
                is_changed = True
            if is_changed or self._lights.are_carried:
                self._lights.read()
                self._light_block.write(self._lights.records)
                self._conditions = {is_fine: self._definitions(is_fine) for is_fine in (False, True)}
                self._view_block.set_air(self._atmosphere, self._lights.ambient.tolist())
            scene.list.update()
            self._shadows.are_old = True

    def _definitions(self, is_fine: bool) -> tuple[str, ...]:
        fog = ("FOG",) if self._atmosphere.fog_type else ()
        is_lit = self._atmosphere.light or (is_fine and self._atmosphere.backdrop)
        cube = ("CUBE", *self._cube_axes) if is_lit else ()
        return (*light_macros(self._lights.shown, self.context.light_rows), *fog, *cube)

    @property
    def _cube_axes(self) -> tuple[str, ...]:
        """Macros: from the axes of the world to those of the sky box, and the number of its levels."""
        axes = "v.y, v.z, -v.x" if self._atmosphere.is_z_up else "v.x, v.y, -v.z"
        return (f"CUBE_AXES(v) vec3({axes.replace('v.', '(v).')})", f"CUBE_LEVELS {log2(LIGHT_SIZE) + 1}")

    def draw(self, view: View, pixels: NDArray[np.uint8], camera: object = None) -> None:
        """Draw a picture.

        Args:
            view: what it shows.
            pixels: gets blue, green, red, alpha of each pixel, from the top left: width * height * 4 bytes.
            camera: who takes it; its previous picture remains in part if the view has motion blur.
        """
        self.begin(view, pixels, camera)()

    def begin(self, view: View, pixels: NDArray[np.uint8], camera: object = None) -> Callable[[], None]:
        """Begin to draw a picture, as `draw` does; the result waits for it and writes `pixels`."""
        with self.context.use() as gl:
            if self._lights.casters or self._lights.point_casters:
                self._draw_shadows(gl, view)
            if view.projection == "planar":
                goal = self._draw_planar(gl, view, camera, 0)
            else:
                goal = free_target(self.context, view.width, view.height)
                draw_panorama(
                    self.context, view, goal, lambda seen, face: self._draw_planar(gl, seen, camera, face)
                )
            goal.is_waiting = True
        return partial(self._read, goal, pixels)

    def _read(self, goal: Target, pixels: NDArray[np.uint8]) -> None:
        with self.context.use():
            goal.read_colors(pixels)
            goal.is_waiting = False
            self.context.check()

    # Numbers of shapes.

    def draw_numbers(self, view: View, numbers: NDArray[np.uint32]) -> None:
        """Draw which shape each pixel shows.

        Args:
            view: what it shows.
            numbers: gets the number of the shape of each pixel (0: none): width * height numbers.
        """
        draw_numbers(view, numbers, self._number_planar)

    def _number_planar(self, view: View, numbers: NDArray[np.uint32]) -> None:
        with self.context.use() as gl:
            goal = numbered_target(self.context, view.width, view.height)
            goal.bind()
            gl.glDepthMask(True)
            gl.glClearBufferfv(gl.GL_DEPTH, 0, [1.0])
            gl.glClearBufferuiv(gl.GL_COLOR, 1, [0, 0, 0, 0])
            self._view_block.use(view)
            self._set_culling(gl)
            gl.glUseProgram(program(self.context, "scene.vert", "numbers.frag", ("NUMBERS",)))
            self._submission.draw(gl, self._choose(view), self.scene.groups, lambda group: True)
            goal.read_numbers(numbers)

    def recognition_colors(self) -> NDArray[np.uint32]:
        """Return the colors of segmentation images by the numbers of shapes: 0xFFRRGGBB."""
        return self._segments.read()

    # The picture.

    def _draw_planar(self, gl: ModuleType, view: View, camera: object, face: int) -> Target:
        """Draw a planar view and return where it is; directly, if it needs no effects on light."""
        samples = SAMPLES if view.is_smooth or view.is_fine else 0
        looks = (FINE,) if view.is_fine else ()
        self._view_block.use(view)
        if view.effects == NO_EFFECTS and not self.scene.has_transparent:
            goal = free_target(self.context, view.width, view.height, samples)
            goal.bind()
            self._draw_world(gl, view, looks)
            return goal
        drawn = light_target(self.context, view.width, view.height, samples)
        drawn.bind()
        self._draw_world(gl, view, (*looks, LIGHT_ONLY))
        picture = with_effects(self.context, drawn, view, self._history(view, camera, face))
        goal = free_target(self.context, view.width, view.height)
        goal.bind()
        picture.show(0)
        fill(self.context, "tone.frag", looks)
        return goal

    def _history(self, view: View, camera: object, face: int) -> LightPicture | None:
        """Return the previous picture of a camera with motion blur."""
        if camera is None or view.effects.motion_share <= 0:
            return None
        key = (face, view.width, view.height)
        own = self._histories.setdefault(camera, {})
        if key not in own:
            with self.context.use() as gl:
                own[key] = LightPicture(gl, view.width, view.height)
        return own[key]

    # Shadows.

    def _draw_shadows(self, gl: ModuleType, view: View) -> None:
        """Draw the shadow maps, unless they show this already."""

        def draw(seen: LightView) -> None:
            gl.glUseProgram(program(self.context, "scene.vert", "depth.frag", ("UNLIT",)))
            chosen = self.scene.list.choose(
                seen.eye, seen.right, seen.up, seen.forward, (*seen.reach, seen.near, seen.far),
                parallel=seen.is_parallel, pixels=view.height / 2, mask=EVERYWHERE | view.hidden_from,
                wanted=CASTS_SHADOW,
            )  # fmt: skip
            self._submission.draw(
                gl, chosen, self.scene.groups, lambda group: group.corners == CORNERS_OF_FACES
            )

        # Fine looks: the texels of a map go to what casts shadows, not to the floor that receives them.
        bounds = self.scene.list.bounds(Z if view.is_fine and self._atmosphere.is_z_up else -1)
        self._shadows.draw(gl, self._lights, bounds, view, draw)

    # Sky and shapes.

    def _draw_world(self, gl: ModuleType, view: View, conditions: tuple[str, ...]) -> None:
        """Draw sky and shapes into the current target.

        Args:
            gl: the functions of OpenGL.
            view: what to draw.
            conditions: further macros of the programs.
        """
        gl.glDepthMask(True)
        exposure = None if LIGHT_ONLY in conditions else view.exposure
        gl.glClearColor(*_sky_color(self._atmosphere.glow, exposure, view.is_fine), 1.0)
        gl.glClear(gl.GL_COLOR_BUFFER_BIT | gl.GL_DEPTH_BUFFER_BIT)
        if self._atmosphere.cube:
            self._draw_sky(gl, view, sky_cube(self.context, self._atmosphere.cube), conditions)
        elif (view.has_backdrop or view.is_fine) and (backdrop := self._atmosphere.backdrop):
            self._draw_sky(gl, view, backdrop_cube(self.context, backdrop.name), conditions, backdrop.gain)
        if surroundings := self._light_cube(view):
            gl.glActiveTexture(gl.GL_TEXTURE0 + CUBE_UNIT)
            gl.glBindTexture(gl.GL_TEXTURE_CUBE_MAP, surroundings)
        self._drawings.draw(gl, view, False, conditions)
        self._set_culling(gl)
        self._draw_shapes(gl, view, conditions)
        self._drawings.draw(gl, view, True, conditions)

    def _light_cube(self, view: View) -> int | None:
        """Return the cube map whose light falls on surfaces."""
        air = self._atmosphere
        if air.light:
            return light_cube(self.context, air.light)
        if view.is_fine and air.backdrop:
            return backdrop_light(self.context, air.backdrop.name, air.sky)
        return None

    @staticmethod
    def _set_culling(gl: ModuleType) -> None:
        gl.glEnable(gl.GL_DEPTH_TEST)
        gl.glEnable(gl.GL_CULL_FACE)
        gl.glFrontFace(gl.GL_CW)  # pictures are drawn upside down, so that the first row is the top

    def _draw_sky(
        self, gl: ModuleType, view: View, cube: int, conditions: tuple[str, ...], gain: float = 1.0
    ) -> None:
        gl.glActiveTexture(gl.GL_TEXTURE0 + CUBE_UNIT)
        gl.glBindTexture(gl.GL_TEXTURE_CUBE_MAP, cube)
        x, y = view.reach
        macros = (*self._cube_axes, *conditions)
        right, up = (tuple(k * c for c in axis) for k, axis in ((x, view.right), (y, view.up)))
        fill(self.context, "sky.frag", macros, right=right, up=up, ahead=view.forward, gain=gain)

    def _choose(self, view: View) -> Chosen:
        """Return what a view shows."""
        return self.scene.list.choose(
            view.eye, view.right, view.up, view.forward, (*view.reach, view.near, view.far),
            pixels=view.height / 2, mask=EVERYWHERE | view.hidden_from,
        )  # fmt: skip

    def _draw_shapes(self, gl: ModuleType, view: View, conditions: tuple[str, ...]) -> None:
        chosen = self._choose(view)
        if not len(chosen[2]):
            return
        gl.glBindBufferBase(gl.GL_UNIFORM_BUFFER, 1, self._light_block.name)
        self._shadows.use(gl)
        all_conditions = (*self._conditions[view.is_fine], *conditions)
        if self.scene.has_transparent:
            gl.glEnable(gl.GL_BLEND)
            gl.glBlendFuncSeparate(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA, gl.GL_ONE, gl.GL_ONE)
        self._submission.draw(
            gl, chosen, self.scene.groups, lambda group: self._use(gl, group, all_conditions)
        )
        gl.glDisable(gl.GL_BLEND)

    def _use(self, gl: ModuleType, group: Group, conditions: tuple[str, ...]) -> bool:
        """Use the program and the textures of a group."""
        fragment, macros = _shader(group)
        if FINE in conditions and group.has_relief:
            macros += ("RELIEF",)
        gl.glUseProgram(program(self.context, "scene.vert", fragment, macros + conditions))
        if group.corners < CORNERS_OF_FACES:
            gl.glPointSize(POINT_PIXELS)
            return True
        for unit, use in enumerate(group.textures):
            if use is not None:
                gl.glActiveTexture(gl.GL_TEXTURE0 + unit)
                gl.glBindTexture(gl.GL_TEXTURE_2D, texture_name(self.context, use))
        if group.kind == PHYSICAL:
            gl.glActiveTexture(gl.GL_TEXTURE0 + REFLECTANCE_UNIT)
            gl.glBindTexture(gl.GL_TEXTURE_2D, reflectance_table(self.context))
        return True


@lru_cache(maxsize=256)
def _shader(group: Group) -> tuple[str, tuple[str, ...]]:
    """Return the fragment shader of a group and its macros."""
    if group.corners < CORNERS_OF_FACES:
        return "unlit.frag", ("UNLIT", "ROUND") if group.corners == 1 else ("UNLIT",)
    maps = tuple(f"MAP{i}" for i, use in enumerate(group.textures) if use is not None)
    base = group.textures[0] if group.textures else None
    if base is not None and not base.is_color:
        maps += ("UNCONVERTED",)
    if group.kind == SHINY:
        maps += ("SHINY",)
    return "pbr.frag" if group.kind == PHYSICAL else "phong.frag", maps


@lru_cache(maxsize=64)
def _sky_color(glow: Sequence[float], exposure: float | None, is_fine: bool) -> tuple[float, ...]:
    """Return the light of the sky, or its displayed blue, green and red for an exposure."""
    light = np.maximum(glow, 0)
    if exposure is None:
        return tuple(light.tolist())
    shown = filmed(light, exposure) if is_fine else (1 - np.exp(-light * exposure)) ** (1 / 2.2)
    return tuple(shown[::-1].tolist())


assert len(MAPS) < SHADOW_CUBE_UNIT < REFLECTANCE_UNIT
