"""Infra-red rays: they see visual shapes and how much these reflect.

Source: manual, chapter DistanceSensor, infra-red sensors: the reflection factor is 0.2 + 0.8 * red; a rough
or occluded surface of a PBRAppearance reflects less.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from wbcore.engine import _engine
from wbcore.physics.mount import Mount
from wbcore.physics.pose import Vec3
from wbcore.visual.surface import Look

if TYPE_CHECKING:
    from numpy import float64, int32
    from numpy.typing import NDArray

    from wbcore.devices.surroundings import Surroundings

__all__ = ["InfraRed", "Measure", "reflection"]

Measure: TypeAlias = Callable[[float], tuple[Any, ...]]
"""A measuring function: seconds since the last sample to values."""


def reflection(look: Look) -> float:
    """Return the share of light that a surface point reflects: 0.2 to 1."""
    found = 0.2 + 0.8 * look.color[0] * (1 - 0.5 * look.roughness) * (1 - 0.5 * look.occlusion)
    return min(max(0.2, found), 1.0)


class InfraRed:
    """The rays of one sensor in the visual scene, which includes its own robot."""

    def __init__(self, simulation: Surroundings, mount: Mount) -> None:
        self._simulation = simulation
        self._mount = mount
        self._look: Callable[[], int]
        self._is_single = False
        self._version = -1
        self._rays: _engine.Rays | None = None
        self._is_on = False
        self._directions: list[Vec3] = []
        self._weights: list[float] = []
        self._length = 1.0
        self._distances: NDArray[float64]
        self._geoms: NDArray[int32]
        self._factors: dict[int, float] = {}

    def aim(self, directions: list[Vec3], weights: list[float], length: float) -> None:
        """Set the directions (unit vectors in the mount's axes), weights and length (m)."""
        self._directions, self._weights, self._length = directions, weights, length
        self._is_single = len(directions) == 1
        self._version = -1

    def start(self, period: int) -> None:
        """Set the sampling period (ms; 0: off)."""
        self._is_on = period > 0
        self._version = -1
        if self._is_on:
            self._look = self._simulation.visual.look
        else:
            self.drop()

    def drop(self) -> None:
        """Remove the rays from the visual scene."""
        rays, self._rays = self._rays, None
        if rays is not None and rays.valid:
            rays.remove()

    def _make(self) -> None:
        self.drop()
        self._mount.follow()
        scene = self._simulation.visual
        rays = scene.rays(self._mount.body, self._mount.inner, self._directions, self._length)
        self._rays, self._distances, self._geoms = rays, rays.distances, rays.geoms
        self._version = scene.version
        self._factors = {-1: 1.0}

    def measure(self) -> tuple[float, float]:
        """Return the weighted distance (m) and the weighted reflection factor of what the rays hit."""
        if self._look() != self._version:
            self._make()
            self._look()
        if self._is_single:
            far, geom = self._distances.item(), self._geoms.item()
            found = self._factors.get(geom)
            return far, self._factor(geom, far, self._directions[0]) if found is None else found
        distances, geoms = self._distances.tolist(), self._geoms.tolist()
        distance = factor = 0.0
        for weight, far, geom, direction in zip(
            self._weights, distances, geoms, self._directions, strict=True
        ):
            distance += weight * far
            found = self._factors.get(geom)
            factor += weight * (self._factor(geom, far, direction) if found is None else found)
        return distance, factor

    def short_way(self, respond: Callable[[float], float], sensitivity: float, whole_way: Measure) -> Measure:
        """Return a faster measuring function for a sensor with one ray and neither noise nor resolution."""
        look: Callable[[], int] | None = None
        version = -1
        far_now: Callable[[], float] = float
        geom_now: Callable[[], int] = int
        factors: dict[int, float] = {}

        def measure(elapsed: float) -> tuple[Any, ...]:
            nonlocal look, version, far_now, geom_now, factors
            if look is not None and look() == version:
                factor = factors.get(geom_now())
                if factor is not None:
                    far = far_now()
                    return (respond(far + (far / factor - far) * sensitivity),)
            values = whole_way(elapsed)
            if self._rays is not None:
                look, version, factors = self._look, self._version, self._factors
                far_now, geom_now = self._distances.item, self._geoms.item
            return values

        return measure

    def _factor(self, geom: int, far: float, direction: Vec3) -> float:
        """Return the reflection factor of a hit. Uniform surfaces are cached."""
        scene = self._simulation.visual
        surface = scene.seen(geom).surface
        if surface.is_plain:
            found = self._factors[geom] = reflection(surface.plain)
            return found
        x, y, z = self._mount.position()
        dx, dy, dz = self._mount.to_world(direction)
        return reflection(scene.look_at(geom, (x + far * dx, y + far * dy, z + far * dz)))
