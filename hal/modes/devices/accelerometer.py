"""Measures the acceleration of its place, gravity included."""

from __future__ import annotations

from hal.modes.device import NAN, LookupSensor

__all__ = ["Accelerometer"]


class Accelerometer(LookupSensor):
    """Measures the acceleration of its place, gravity included."""

    values = (NAN, NAN, NAN)

    def take_constants(self, lookup_table: list[tuple[float, float, float]]) -> None:
        """The lookup table."""
        self.lookup_table = lookup_table

    def take_values(self, values: tuple[float, float, float]) -> None:
        """A new sample."""
        self.values = values

    def get_values(self) -> list[float]:
        """The acceleration along the axes of the device; at rest it shows gravity upward.

        Returns:
            x, y, z in m/s^2; NaN before the first sample.
        """
        self.check_enabled("get_values")
        return list(self.values)
