"""An accelerometer, which measures its acceleration, including gravity."""

from __future__ import annotations

from wbridge.hal.modes.device import VectorSensor

__all__ = ["Accelerometer"]


class Accelerometer(VectorSensor):
    """An accelerometer, which measures its acceleration, including gravity."""

    def get_values(self) -> list[float]:
        """The acceleration along the device's axes; at rest it points upward with the magnitude of gravity.

        Returns:
            x, y, z in m/s^2; NaN before the first sample.
        """
        self.check_enabled("get_values")
        return list(self.values)
