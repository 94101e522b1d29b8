"""The Gyro: angular velocity of its body."""

from __future__ import annotations

from wbcore.devices.axes import AxesSensor
from wbcore.physics.pose import Vec3


class Gyro(AxesSensor):
    """Measures the angular velocity (rad/s) of its body, in its own axes."""

    def vector(self, elapsed: float) -> Vec3 | None:
        """Return the angular velocity; None, with a warning, if the parent has no body."""
        body = self.mount.dynamic
        if body is None:
            self.robot.warn(
                f"{self.path}: a Gyro measures nothing without Physics; add a Physics node to its parent"
            )
            return None
        return self.mount.to_local(body.angular_velocity)
