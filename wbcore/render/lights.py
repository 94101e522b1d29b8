"""The lights of a world as the shaders read them.

Source: manual, chapters DirectionalLight, PointLight, SpotLight; the ambient terms of all lights that are on
are added.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wbcore.physics.world import PhysicsWorld
from wbcore.render.single import single
from wbcore.visual.lights import Light, lights_of

__all__ = ["LIGHT_TEXELS", "MOST_LIGHTS", "WorldLights"]

MOST_LIGHTS = 48
LIGHT_TEXELS = 5
DIRECTIONAL, POINT, SPOT = 0, 1, 2
NO_SHADOW = -1.0


class WorldLights:
    """Reads the lights of a world into records of five texels.

    Color and intensity; position; direction and number of the shadow map (-1: none); attenuation and
    radius; beam width, cut-off angle and one over their difference.
    """

    def __init__(self, physics: PhysicsWorld) -> None:
        self._lights = lights_of(physics)
        self.are_carried = any(light.is_carried for light in self._lights)
        """A body carries a light, so poses change in each step."""
        self.counts = (0, 0, 0)
        """Directional, point and spot lights in `records`, which are in this order."""
        self.ambient: NDArray[np.float64] = np.zeros(3)
        self.records: NDArray[np.float32] = np.zeros((MOST_LIGHTS, LIGHT_TEXELS, 4), dtype=np.float32)
        self.casters: list[Light] = []
        """Lights that cast shadows, by the numbers of their shadow maps."""

    def read(self) -> None:
        """Read fields and poses."""
        self.ambient[:] = 0
        self.casters = []
        kinds: tuple[list[Light], ...] = ([], [], [])
        for light in self._lights:
            light.read()
            if light.is_on:
                self.ambient += light.ambient * np.asarray(light.color)
                if light.intensity > 0:
                    kinds[_kind(light)].append(light)
        shown = [one for kind in kinds for one in kind][:MOST_LIGHTS]
        directional, points, spots = (sum(_kind(one) == kind for one in shown) for kind in range(3))
        self.counts = (directional, points, spots)
        for record, light in zip(self.records, shown, strict=False):
            self._write(record, light)

    def _write(self, record: NDArray[np.float32], light: Light) -> None:
        shadow = NO_SHADOW
        if light.casts_shadows and (light.is_directional or light.is_spot):
            shadow = float(len(self.casters))
            self.casters.append(light)
        fading = max(light.cut - light.beam, 1e-6)
        record[:] = single(
            [
                (*light.color, light.intensity),
                (*light.position(), 0),
                (*light.direction(), shadow),
                (*light.terms, light.radius),
                (light.beam, light.cut, 1 / fading, 0),
            ]
        )


def _kind(light: Light) -> int:
    return DIRECTIONAL if light.is_directional else SPOT if light.is_spot else POINT
