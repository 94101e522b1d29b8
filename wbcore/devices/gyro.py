"""The Gyro: angular velocity of its body."""

from __future__ import annotations

from wbridge.wbcore.devices.axes import AxesSensor
from wbridge.wbcore.engine import _engine


class Gyro(AxesSensor):
    """Measures the angular velocity (rad/s) of its body, in its own axes."""

    def source(self) -> _engine.Source | None:
        """Return the measurement of the body; None without one."""
        self.mount.follow()
        body = self.mount.dynamic
        if body is None:
            return None
        return _engine.AngularVelocity(body, self.mount.native, self.response())

    def measure(self, elapsed: float) -> tuple[object, ...] | None:
        """Return the angular velocity; None, with a warning, if the parent has no body."""
        source = self.source()
        if source is None:
            self.robot.warn(
                f"{self.path}: a Gyro measures nothing without Physics; add a Physics node to its parent"
            )
            return None
        return source.measure(elapsed)
