"""Measures the acceleration of its place, gravity included."""

from __future__ import annotations

from hal.modes.device import VectorSensor

__all__ = ["Accelerometer"]


class Accelerometer(VectorSensor):
    """Measures the acceleration of its place, gravity included."""

    def get_values(self) -> list[float]:
        """The acceleration along the axes of the device; at rest it shows gravity upward.

        Returns:
            x, y, z in m/s^2; NaN before the first sample.
        """
        self.check_enabled("get_values")
        return list(self.values)
