"""The lights of a world as the shaders read them.

Source: manual, chapters DirectionalLight, PointLight, SpotLight; the ambient terms of all lights that are on
are added.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.render.cube_shadows import MOST_CUBES, farthest
from wbridge.wbcore.render.shadows import MOST_MAPS
from wbridge.wbcore.render.single import single
from wbridge.wbcore.visual.lights import Light, lights_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LOG = logging.getLogger(__name__)
MOST_LIGHTS = 48
LIGHT_TEXELS = 5
DIRECTIONAL, POINT, SPOT = 0, 1, 2
NO_SHADOW = -1


class ShownLight(NamedTuple):
    """What programs depend on."""

    kind: int
    shadow: int
    """The number of its shadow map, of a point light of its cube; or NO_SHADOW."""


class WorldLights:
    """Reads the lights of a world into records of five texels.

    Color and intensity; position, and how far a point light has shadows; direction; attenuation and
    radius; beam width, cut-off angle and one over their difference.
    """

    def __init__(self, physics: PhysicsWorld) -> None:
        self._lights = lights_of(physics)
        self.are_carried = any(light.is_carried for light in self._lights)
        """A body carries a light, so poses change in each step."""
        self.shown: list[ShownLight] = []
        """The lights of `records`: directional ones, then point lights, then spot lights."""
        self.ambient: NDArray[np.float64] = np.zeros(3)
        self.records: NDArray[np.float32] = np.zeros((MOST_LIGHTS, LIGHT_TEXELS, 4), dtype=np.float32)
        self.casters: list[Light] = []
        """Directional and spot lights that cast shadows, by the numbers of their shadow maps."""
        self.point_casters: list[Light] = []
        """Point lights that cast shadows, by the numbers of their cubes."""
        self._warned: set[str] = set()

    def read(self) -> None:
        """Read fields and poses."""
        self.ambient[:] = 0
        self.casters, self.point_casters = [], []
        kinds: tuple[list[Light], ...] = ([], [], [])
        for light in self._lights:
            light.read()
            if light.is_on:
                self.ambient += light.ambient * np.asarray(light.color)
                if light.intensity > 0:
                    kinds[_kind(light)].append(light)
        shown = [light for kind in kinds for light in kind]
        self._warn("light surfaces", len(shown), MOST_LIGHTS)
        shaded = [light for light in shown if light.casts_shadows]
        points = sum(_kind(light) == POINT for light in shaded)
        self._warn("cast shadows", len(shaded) - points, MOST_MAPS)
        self._warn("cast shadows in all directions", points, MOST_CUBES)
        shown = shown[:MOST_LIGHTS]
        self.shown = [ShownLight(_kind(light), self._shadow(light)) for light in shown]
        for record, light in zip(self.records, shown, strict=False):
            self._write(record, light)

    def _shadow(self, light: Light) -> int:
        """Return the number of a light's shadow map, or NO_SHADOW."""
        is_point = _kind(light) == POINT
        casters, most = (self.point_casters, MOST_CUBES) if is_point else (self.casters, MOST_MAPS)
        if not light.casts_shadows or len(casters) == most:
            return NO_SHADOW
        casters.append(light)
        return len(casters) - 1

    def _warn(self, what: str, count: int, most: int) -> None:
        """Say once that a world has more lights than pictures show."""
        if count > most and what not in self._warned:
            self._warned.add(what)
            _LOG.warning("%d lights %s; pictures show the first %d", count, what, most)

    @staticmethod
    def _write(record: NDArray[np.float32], light: Light) -> None:
        fading = max(light.cut - light.beam, 1e-6)
        record[:] = single(
            [
                (*light.color, light.intensity),
                (*light.position(), farthest(light)),
                (*light.direction(), 0),
                (*light.terms, light.radius),
                (light.beam, light.cut, 1 / fading, 0),
            ]
        )


def _kind(light: Light) -> int:
    return DIRECTIONAL if light.is_directional else SPOT if light.is_spot else POINT
