"""The physical rays of one sensor, which exist in the engine while the sensor is enabled."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from wbridge.wbcore.devices import transparency
from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.mount import Mount
from wbridge.wbcore.physics.pose import Vec3

if TYPE_CHECKING:
    from wbridge.wbcore.devices.surroundings import Surroundings

ALL = 0xFFFFFFFF
"""The mask of rays that hit every category."""


class SensorRays:
    """Rays from a mount that hit bounding objects, except those of the own robot.

    The engine casts them at the end of the steps in which they are due.
    """

    def __init__(
        self,
        simulation: Surroundings,
        mount: Mount,
        directions: list[Vec3],
        length: float,
        mask: int = ALL,
    ) -> None:
        """
        Args:
            simulation: the world that they measure.
            mount: where they start.
            directions: unit vectors in the mount's axes.
            length: their length (m).
            mask: the categories that they hit.
        """
        self._simulation, self._mount = simulation, mount
        self._directions, self._length, self._mask = directions, length, mask
        self._every = 0
        """Steps between two samples; 0: off."""
        self._rays: _engine.Rays | None = None

    @property
    def due(self) -> int:
        """The step of the next sample; -1 if the sensor is off."""
        return -1 if self._rays is None or not self._rays.valid else self._rays.next

    def start(self, period: int) -> None:
        """Cast rays with a sampling period (ms); 0 removes them."""
        self.drop()
        if period > 0:
            self._every = max(ceil(period / (self._simulation.step_s * 1000) - 1e-9), 1)
            self._mount.follow()
            self._make()

    def restart(self) -> None:
        """The simulation was reset: the next step is due."""
        self.resume(self._simulation.physics.engine.steps + 1)

    def resume(self, due: int) -> None:
        """Set the step of the next sample (-1: never), after a state was loaded."""
        if self._rays is not None and self._rays.valid and due >= 0:
            self._rays.schedule(self._every, max(due - self._simulation.physics.engine.steps, 1))

    def drop(self) -> None:
        """Remove the rays from the engine."""
        rays, self._rays, self._every = self._rays, None, 0
        if rays is not None and rays.valid:
            rays.remove()

    def rays(self) -> _engine.Rays | None:
        """Return the rays, a new object after solids were rebuilt; None if the sensor is off."""
        if self._mount.follow() and self._rays is not None:
            if self._rays.valid:
                self._rays.remove()
            self._make()
        return self._rays

    def _make(self) -> None:
        if not self._mask & transparency.TRANSPARENT:
            transparency.mark(self._simulation.physics)
        mount, inner, robot = self._mount, self._mount.inner, self._mount.solid.robot
        count = len(self._directions)
        self._rays = self._simulation.physics.engine.add_rays(
            [(0.0, 0.0, 0.0)] * count,
            self._directions,
            [self._length] * count,
            mount.body,
            inner.position,
            inner.orientation,
            robot=robot.number if robot is not None else -1,
            mask=self._mask,
        )
        self._rays.schedule(self._every)
