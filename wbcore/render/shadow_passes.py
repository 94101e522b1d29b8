"""Draws the shadow maps of a world's lights."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from wbridge.wbcore.render.cube_shadows import CubeShadows, cube_views
from wbridge.wbcore.render.lights import WorldLights
from wbridge.wbcore.render.shadows import DepthFrames, LightView, ShadowMaps, light_view
from wbridge.wbcore.render.view_block import ViewBlock
from wbridge.wbcore.visual.views import View

MAP_UNIT, CUBE_UNIT = 14, 11
"""Texture units, as in `shaders/lights.glsl`."""
Box = tuple[tuple[float, float, float], tuple[float, float, float]]
DrawLight = Callable[[LightView], None]


class ShadowPasses:
    """Shadow maps that are drawn when something has changed."""

    def __init__(self, block: ViewBlock) -> None:
        self._block = block
        self._maps: ShadowMaps | None = None
        self._cubes: CubeShadows | None = None
        self.are_old = True
        """Bodies or lights have moved since the maps were drawn."""
        self._hidden_from = 0
        """The bit of the view that does not show some nodes, for which the maps were drawn."""

    def draw(self, gl: ModuleType, lights: WorldLights, bounds: Box, view: View, draw: DrawLight) -> None:
        """Draw what the lights see, unless the maps show this already.

        Args:
            gl: the functions of OpenGL.
            lights: of the world.
            bounds: around all instances.
            view: for which the shadows are.
            draw: draws what casts shadows, as a light sees it.
        """
        are_old = self.are_old or self._hidden_from != view.hidden_from
        self.are_old, self._hidden_from = False, view.hidden_from
        if lights.casters:
            self._maps = self._maps or ShadowMaps(gl)
            wanted = [light_view(caster, bounds, view) for caster in lights.casters]
            self._fill(self._maps, wanted, draw, are_old)
            self._block.set_shadows(wanted)
        if lights.point_casters:
            self._cubes = self._cubes or CubeShadows(gl)
            around = [face for caster in lights.point_casters for face in cube_views(caster)]
            self._fill(self._cubes, around, draw, are_old)

    def _fill(
        self,
        frames: DepthFrames,
        wanted: list[LightView] | list[LightView | None],
        draw: DrawLight,
        old: bool,
    ) -> None:
        if wanted == frames.views and not old:
            return
        frames.views = list(wanted)
        for layer, seen in enumerate(wanted):
            if seen is not None:
                frames.bind(layer)
                self._block.use_light(seen)
                draw(seen)
                frames.finish()

    def use(self, gl: ModuleType) -> None:
        """Let shaders read the maps from now on."""
        for unit, frames in ((MAP_UNIT, self._maps), (CUBE_UNIT, self._cubes)):
            if frames is not None:
                gl.glActiveTexture(gl.GL_TEXTURE0 + unit)
                gl.glBindTexture(frames.kind, frames.name)
