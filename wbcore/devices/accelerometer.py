"""The Accelerometer: measures the acceleration of its body, gravity included."""

from __future__ import annotations

import math
from typing import ClassVar

from wbcore.devices.axes import AxesSensor
from wbcore.physics.pose import ZERO, Vec3


class Accelerometer(AxesSensor):
    """Measures acceleration minus gravity (m/s^2) at its position, in its own axes.

    The acceleration is the change of velocity since the last measurement, divided by the elapsed time.
    """

    KEPT: ClassVar[tuple[str, ...]] = ("_velocity",)
    _velocity: Vec3 = ZERO

    def enabled(self, period: int) -> None:
        """Let the first measurement start from rest."""
        self._velocity = ZERO

    def reset(self) -> None:
        """Restart: compare the next measurement with rest."""
        super().reset()
        self._velocity = ZERO

    def vector(self, elapsed: float) -> Vec3:
        """Return the reading of a mass on a spring; NaN, with a warning, if the parent has no body."""
        body = self.mount.dynamic
        if body is None:
            self.robot.warn(
                f"{self.path}: an Accelerometer measures nothing without Physics; add a Physics node to its "
                "parent"
            )
            return (math.nan, math.nan, math.nan)
        x, y, z = velocity = body.point_velocity(self.mount.position())
        lx, ly, lz = self._velocity
        self._velocity = velocity
        gx, gy, gz = self.simulation.physics.plan.settings.gravity
        # A mass on a spring shows (v - v_last) / dt - g: at rest it reads g upward, in free fall 0.
        if not 0 < elapsed < math.inf:
            return self.mount.to_local((-gx, -gy, -gz))
        return self.mount.to_local(
            ((x - lx) / elapsed - gx, (y - ly) / elapsed - gy, (z - lz) / elapsed - gz)
        )
