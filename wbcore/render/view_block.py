"""The uniform block of `shaders/view.glsl`: what all programs know of a picture."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from wbridge.wbcore.render.atmosphere import Atmosphere
from wbridge.wbcore.render.shadows import LightView
from wbridge.wbcore.render.single import single
from wbridge.wbcore.render.stream import StreamBuffer
from wbridge.wbcore.visual.views import View

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROWS = 27
VIEW, AIR, TEXELS, CLIPS = slice(0, 6), slice(6, 10), 10, 11
"""Rows of a view, of light and air, of the width of the shadow maps' texels, and of their matrices."""
BINDING = 0


class ViewBlock:
    """Writes the block of one world, for each picture again."""

    def __init__(self, gl: ModuleType) -> None:
        self._gl = gl
        self._buffer = StreamBuffer(gl, gl.GL_UNIFORM_BUFFER)
        self._rows: NDArray[np.float32] = np.zeros((ROWS, 4), dtype=np.float32)

    def set_air(self, air: Atmosphere, ambient: Sequence[float]) -> None:
        """Take over sky and fog, and the sum of the ambient light of all lights, for the next pictures."""
        self._rows[AIR] = single(
            [
                (*air.sky, air.luminosity),
                (*ambient, 0),
                (*air.fog, air.fog_type),
                (1 / air.visibility, 0, 0, 0),
            ]
        )

    def set_shadows(self, maps: Sequence[LightView | None]) -> None:
        """Take over what the shadow maps show."""
        for layer, texture in enumerate(maps):
            if texture is not None:
                first = CLIPS + 4 * layer
                self._rows[TEXELS, layer] = texture.texel
                self._rows[first : first + 4] = single(texture.clip_matrix().T)

    def use(self, view: View) -> None:
        """Draw this view from now on."""
        self._rows[VIEW] = single([*view.clip_columns(), (*view.eye, view.exposure), (*view.forward, 0)])
        self._write(self._rows)

    def use_light(self, light: LightView) -> None:
        """Draw a shadow map from now on."""
        self._write(single(np.vstack([light.clip_matrix().T, np.zeros((ROWS - 4, 4))])))

    def _write(self, rows: NDArray[np.float32]) -> None:
        self._buffer.write(rows)
        self._gl.glBindBufferBase(self._gl.GL_UNIFORM_BUFFER, BINDING, self._buffer.name)
