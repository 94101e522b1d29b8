"""The Accelerometer: measures the acceleration of its body, gravity included."""

from __future__ import annotations

import math
from typing import ClassVar

from wbridge.wbcore.devices.axes import AxesSensor
from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.pose import ZERO, Vec3


class Accelerometer(AxesSensor):
    """Measures acceleration minus gravity (m/s^2) at its position, in its own axes.

    The acceleration is the change of velocity since the last measurement, divided by the elapsed time.
    """

    KEPT: ClassVar[tuple[str, ...]] = ("last_velocity",)
    _source: _engine.Acceleration | None = None
    _velocity: Vec3 = ZERO

    @property
    def last_velocity(self) -> Vec3:
        """The velocity (m/s, world) at the last measurement."""
        return self._velocity if self._source is None else self._source.last

    @last_velocity.setter
    def last_velocity(self, velocity: Vec3) -> None:
        """Compare the next measurement with another velocity."""
        self._velocity = velocity
        if self._source is not None:
            self._source.last = velocity

    def enabled(self, period: int) -> None:
        """Let the first measurement start from rest."""
        self.last_velocity = ZERO

    def reset(self) -> None:
        """Restart: compare the next measurement with rest."""
        super().reset()
        self.last_velocity = ZERO

    def source(self) -> _engine.Source | None:
        """Return the measurement of the body; None without one."""
        self.mount.follow()
        body, last = self.mount.dynamic, self.last_velocity
        self._source, self._velocity = None, last
        if body is not None:
            self._source = _engine.Acceleration(body, self.mount.native, self.response(), last)
        return self._source

    def measure(self, elapsed: float) -> tuple[object, ...]:
        """Return the reading of a mass on a spring; NaN, with a warning, if the parent has no body."""
        source = self.source()
        if source is not None:
            return source.measure(elapsed)
        self.robot.warn(
            f"{self.path}: an Accelerometer measures nothing without Physics; add a Physics node to its "
            "parent"
        )
        return ((math.nan, math.nan, math.nan),)
