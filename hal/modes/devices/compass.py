"""Shows where north is."""

from __future__ import annotations

from hal.modes.device import NAN, LookupSensor

__all__ = ["Compass"]


class Compass(LookupSensor):
    """Shows where north is."""

    values = (NAN, NAN, NAN)

    def take_constants(self, lookup_table: list[tuple[float, float, float]]) -> None:
        """The lookup table."""
        self.lookup_table = lookup_table

    def take_values(self, values: tuple[float, float, float]) -> None:
        """A new sample."""
        self.values = values

    def get_values(self) -> list[float]:
        """The direction of north in the frame of the device.

        Returns:
            x, y, z in no unit, of length 1 before the lookup table; NaN before the first sample.
        """
        self.check_enabled("get_values")
        return list(self.values)
