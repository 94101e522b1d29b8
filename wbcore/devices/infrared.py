"""The rays of an infra-red sensor: they see visual shapes and how much these reflect.

Source: manual, chapter DistanceSensor, infra-red sensors: the reflection factor is 0.2 + 0.8 * red; a rough
or occluded surface of a PBRAppearance reflects less.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.mount import Mount
from wbridge.wbcore.physics.pose import Vec3

if TYPE_CHECKING:
    from wbridge.wbcore.devices.surroundings import Surroundings


class InfraRed:
    """Rays in the visual scene, which includes the sensor's own robot."""

    def __init__(
        self,
        simulation: Surroundings,
        mount: Mount,
        directions: list[Vec3],
        length: float,
        passes_clear: bool,
    ) -> None:
        """
        Args:
            simulation: the world that they see.
            mount: where they start.
            directions: unit vectors in the mount's axes.
            length: their length (m).
            passes_clear: they go on behind surfaces that are wholly transparent.
        """
        self._simulation, self._mount = simulation, mount
        self._directions, self._length = directions, length
        self._passes_clear = passes_clear
        self._rays: _engine.SceneRays | None = None
        self._version = -1

    def rays(self) -> _engine.SceneRays:
        """Return the rays in the current scene; a new object after the scene or the mount has changed."""
        visual = self._simulation.visual
        version = visual.refresh()
        if self._mount.follow() or self._rays is None or version != self._version:
            self._version = version
            mount = self._mount
            self._rays = visual.rays(
                mount.body, mount.inner, self._directions, self._length, self._passes_clear
            )
        return self._rays
