"""Measures its angular velocity."""

from __future__ import annotations

from hal.modes.device import NAN, LookupSensor

__all__ = ["Gyro"]


class Gyro(LookupSensor):
    """Measures its angular velocity."""

    values = (NAN, NAN, NAN)

    def take_constants(self, lookup_table: list[tuple[float, float, float]]) -> None:
        """The lookup table."""
        self.lookup_table = lookup_table

    def take_values(self, values: tuple[float, float, float]) -> None:
        """A new sample."""
        self.values = values

    def get_values(self) -> list[float]:
        """The angular velocity about the axes of the device.

        Returns:
            x, y, z in rad/s; NaN before the first sample.
        """
        self.check_enabled("get_values")
        return list(self.values)
