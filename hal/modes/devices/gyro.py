"""A gyro, which measures its angular velocity."""

from __future__ import annotations

from wbridge.hal.modes.device import VectorSensor

__all__ = ["Gyro"]


class Gyro(VectorSensor):
    """A gyro, which measures its angular velocity."""

    def get_values(self) -> list[float]:
        """The angular velocity about the device's axes.

        Returns:
            x, y, z in rad/s; NaN before the first sample.
        """
        self.check_enabled("get_values")
        return list(self.values)
