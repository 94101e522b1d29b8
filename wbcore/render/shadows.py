"""Shadow maps: depths as the lights see them, which decide what is lit.

Webots' shadows have sharp edges; ours are as sharp as the texels of a map.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from wbridge.wbcore.physics.pose import Vec3, cross, unit
from wbridge.wbcore.visual.lights import Light
from wbridge.wbcore.visual.views import View

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_MAPS = 4
SIZE = 1024
"""Texels along each side of a map."""
WIDEST = 20.0
"""Half the width (m) of the region around a camera that has shadows, in larger worlds."""
Matrix: TypeAlias = "NDArray[np.float64]"
Box = tuple[Vec3, Vec3]


@dataclass(frozen=True, slots=True)
class LightView:
    """What a light illuminates: a box along its direction, or a cone."""

    eye: Vec3
    right: Vec3
    up: Vec3
    forward: Vec3
    reach: tuple[float, float]
    """Half width and half height: everywhere, or at distance 1 in a cone."""
    near: float
    far: float
    is_parallel: bool
    size: int = SIZE
    """Texels along each side of the map."""

    @property
    def texel(self) -> float:
        """The width of a texel (m); in a cone, at distance 1."""
        return 2 * max(self.reach) / self.size

    def clip_matrix(self) -> Matrix:
        """Return the matrix from the world to the map's clip space."""
        axes = np.array([self.right, self.up, self.forward])
        rows = np.column_stack([axes, -axes @ np.asarray(self.eye)])
        (x, y), near, far = self.reach, self.near, self.far
        if self.is_parallel:
            deep = rows[2] * 2 / (far - near)
            deep[3] -= (far + near) / (far - near)
            return np.array([rows[0] / x, rows[1] / y, deep, (0.0, 0.0, 0.0, 1.0)])
        deep = rows[2] * (far + near) / (far - near)
        deep[3] -= 2 * far * near / (far - near)
        return np.array([rows[0] / x, rows[1] / y, deep, rows[2]])


def light_view(light: Light, bounds: Box, view: View) -> LightView | None:
    """Return what a light illuminates of the instances in a box, near a view; None if there are none."""
    low, high = (np.asarray(corner) for corner in bounds)
    forward = light.direction()
    if (low > high).any() or forward == (0.0, 0.0, 0.0):
        return None
    right = unit(cross(forward, (0.0, 0.0, 1.0) if abs(forward[2]) < 0.9 else (1.0, 0.0, 0.0)))
    assert right is not None, "the axes are not parallel"
    up = cross(right, forward)
    if light.is_spot:
        wide = float(np.tan(min(light.cut, 1.5)))
        far = min(light.radius, float(np.linalg.norm(high - low)) + 1.0)
        return LightView(light.position(), right, up, forward, (wide, wide), far * 1e-3, far, False)
    corners = np.array(
        [[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    )
    axes = np.array([right, up, forward])
    first, last = (corners @ axes.T).min(axis=0), (corners @ axes.T).max(axis=0)
    middle, half = (first + last) / 2, (last - first) / 2
    # In a world that is larger, the region ahead of the camera.
    ahead = axes @ (np.asarray(view.eye) + WIDEST * np.asarray(view.forward))
    for k in (0, 1):
        if half[k] > WIDEST:
            middle[k], half[k] = ahead[k], WIDEST
    x, y, z = (axes.T @ (middle[0], middle[1], first[2])).tolist()
    reach = (float(half[0]) + 1e-6, float(half[1]) + 1e-6)
    return LightView((x, y, z), right, up, forward, reach, -1e-3, float(2 * half[2]) + 1e-3, True)


class DepthFrames:
    """Depths in the layers of a texture, which shaders compare with."""

    def __init__(self, gl: ModuleType, kind: int, size: int, layers: int) -> None:
        """
        Args:
            gl: the functions of OpenGL.
            kind: of the texture.
            size: texels along each side.
            layers: their number.
        """
        self._gl, self._size = gl, size
        self.views: list[LightView | None] = []
        """What each layer shows."""
        self.kind = kind
        self.name: int = gl.glGenTextures(1)
        gl.glBindTexture(kind, self.name)
        gl.glTexStorage3D(kind, 1, gl.GL_DEPTH_COMPONENT32F, size, size, layers)
        for option, value in (
            (gl.GL_TEXTURE_COMPARE_MODE, gl.GL_COMPARE_REF_TO_TEXTURE),
            (gl.GL_TEXTURE_COMPARE_FUNC, gl.GL_LEQUAL),
            (gl.GL_TEXTURE_MIN_FILTER, gl.GL_LINEAR),
            (gl.GL_TEXTURE_MAG_FILTER, gl.GL_LINEAR),
            (gl.GL_TEXTURE_WRAP_S, gl.GL_CLAMP_TO_BORDER),
            (gl.GL_TEXTURE_WRAP_T, gl.GL_CLAMP_TO_BORDER),
        ):
            gl.glTexParameteri(kind, option, value)
        # What lies beside a map is lit.
        gl.glTexParameterfv(kind, gl.GL_TEXTURE_BORDER_COLOR, (1.0, 1.0, 1.0, 1.0))
        self._frames = [self._frame(layer) for layer in range(layers)]

    def _frame(self, layer: int) -> int:
        gl = self._gl
        made: int = gl.glGenFramebuffers(1)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, made)
        gl.glFramebufferTextureLayer(gl.GL_FRAMEBUFFER, gl.GL_DEPTH_ATTACHMENT, self.name, 0, layer)
        gl.glDrawBuffer(gl.GL_NONE)
        return made

    def bind(self, layer: int) -> None:
        """Draw into an empty layer from now on, both sides of all surfaces."""
        gl = self._gl
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._frames[layer])
        gl.glViewport(0, 0, self._size, self._size)
        gl.glDepthMask(True)
        gl.glClear(gl.GL_DEPTH_BUFFER_BIT)
        gl.glEnable(gl.GL_DEPTH_TEST)
        gl.glDisable(gl.GL_CULL_FACE)
        gl.glEnable(gl.GL_POLYGON_OFFSET_FILL)
        gl.glPolygonOffset(2.0, 2.0)

    def finish(self) -> None:
        """Stop drawing into a layer."""
        self._gl.glDisable(self._gl.GL_POLYGON_OFFSET_FILL)


class ShadowMaps(DepthFrames):
    """The maps of one world's directional and spot lights."""

    def __init__(self, gl: ModuleType) -> None:
        super().__init__(gl, gl.GL_TEXTURE_2D_ARRAY, SIZE, MOST_MAPS)
