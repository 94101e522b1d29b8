"""Shadow maps of point lights: depths in all directions, as the six faces of a cube."""

from __future__ import annotations

from types import ModuleType

from wbridge.wbcore.physics.pose import Vec3
from wbridge.wbcore.render.shadows import DepthFrames, LightView
from wbridge.wbcore.visual.lights import Light

MOST_CUBES = 4
SIZE = 512
"""Texels along each edge of a cube."""
NEAREST, FARTHEST = 0.01, 1e3
"""Distances from a light between which things cast shadows (m)."""
FACES: tuple[tuple[Vec3, Vec3, Vec3], ...] = (
    ((0.0, 0.0, -1.0), (0.0, -1.0, 0.0), (1.0, 0.0, 0.0)),
    ((0.0, 0.0, 1.0), (0.0, -1.0, 0.0), (-1.0, 0.0, 0.0)),
    ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 1.0, 0.0)),
    ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, -1.0, 0.0)),
    ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0)),
    ((-1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0)),
)
"""Right, up and forward of each face, in OpenGL's order and orientation (OpenGL 4.3, table 8.19)."""


def farthest(light: Light) -> float:
    """Return the largest distance at which a point light has shadows (m)."""
    return min(max(light.radius, 2 * NEAREST), FARTHEST)


def cube_views(light: Light) -> list[LightView]:
    """Return the views of the six faces around a point light."""
    return [
        LightView(light.position(), right, up, forward, (1.0, 1.0), NEAREST, farthest(light), False, SIZE)
        for right, up, forward in FACES
    ]


class CubeShadows(DepthFrames):
    """The cubes of one world, as an array texture with six layers for each."""

    def __init__(self, gl: ModuleType) -> None:
        super().__init__(gl, gl.GL_TEXTURE_CUBE_MAP_ARRAY, SIZE, len(FACES) * MOST_CUBES)
