"""The rays of one sensor, which exist in the engine while the sensor is enabled."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from wbcore.devices import transparency
from wbcore.engine import _engine
from wbcore.physics.mount import Mount
from wbcore.physics.pose import Vec3

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from wbcore.devices.surroundings import Surroundings

__all__ = ["ALL", "SensorRays"]

ALL = 0xFFFFFFFF
"""The mask of rays that hit every category."""


class SensorRays:
    """Rays from a mount that hit bounding objects, except those of the own robot.

    The engine casts them at the end of the steps in which they are due; when they are read in another step,
    or after solids were rebuilt, they are cast immediately.
    """

    def __init__(self, simulation: Surroundings, mount: Mount, mask: int = ALL) -> None:
        self._simulation = simulation
        self._physics = simulation.physics
        self._mount = mount
        self._mask = mask
        self.every = 0
        """Steps between two samples."""
        self.due = -1
        """The step of the next sample; -1 if the sensor is off."""
        self._rays: _engine.Rays | None = None
        self._directions: list[Vec3] = []
        self._length = 1.0
        self.distances: NDArray[float64]
        """(n,) distances in m after `read`; a miss has the ray's length."""

    @property
    def rays(self) -> _engine.Rays | None:
        """The engine's rays; None if the sensor is off."""
        return self._rays

    def aim(self, directions: list[Vec3], length: float) -> None:
        """Set directions (unit vectors in the mount's axes) and length (m)."""
        self._directions, self._length = directions, length
        if self._rays is not None:
            self._make()

    def start(self, period: int) -> None:
        """Cast rays with a sampling period (ms); 0 removes them."""
        if period <= 0:
            self.drop()
            return
        self.every = max(ceil(period / (self._simulation.step_s * 1000) - 1e-9), 1)
        self._mount.follow()
        self._make()

    def restart(self) -> None:
        """The simulation was reset: the next step is due."""
        if self._rays is not None and self._rays.valid:
            self._rays.schedule(self.every, 1)
            self.due = self._simulation.physics.engine.steps + 1

    def resume(self, due: int) -> None:
        """Set the step of the next sample (-1: never), after a state was loaded."""
        self.due = due
        if self._rays is not None and self._rays.valid and due >= 0:
            self._rays.schedule(self.every, max(due - self._simulation.physics.engine.steps, 1))

    def drop(self) -> None:
        """Remove the rays from the engine."""
        rays, self._rays, self.due = self._rays, None, -1
        if rays is not None and rays.valid:
            rays.remove()

    def _make(self) -> None:
        self.drop()
        if not self._mask & transparency.TRANSPARENT:
            transparency.mark(self._physics)
        mount, engine = self._mount, self._simulation.physics.engine
        inner, count = mount.inner, len(self._directions)
        robot = mount.solid.robot
        rays = engine.add_rays(
            [(0.0, 0.0, 0.0)] * count,
            self._directions,
            [self._length] * count,
            mount.body,
            inner.position,
            inner.orientation,
            robot=robot.number if robot is not None else -1,
            mask=self._mask,
        )
        rays.schedule(self.every)
        self.due = engine.steps + self.every
        self._rays = rays
        self.distances = rays.distances

    def follow(self) -> None:
        """Recreate the rays after solids were rebuilt."""
        if self._mount.follow() and self._rays is not None:
            self._make()

    def read(self) -> bool:
        """Update `distances`; return False if the sensor is off."""
        self.follow()
        steps = self._physics.builder.engine.steps
        if steps != self.due:
            if self._rays is None:
                return False
            self._rays.cast()
            self._rays.schedule(self.every)
        self.due = steps + self.every
        return True
