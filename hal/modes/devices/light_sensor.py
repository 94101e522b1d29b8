"""Measures the light that falls on it."""

from __future__ import annotations

from hal.modes.device import NAN, LookupSensor

__all__ = ["LightSensor"]


class LightSensor(LookupSensor):
    """Measures the light that falls on it."""

    value = NAN

    def take_constants(self, lookup_table: list[tuple[float, float, float]]) -> None:
        """Store the lookup table."""
        self.lookup_table = lookup_table

    def take_value(self, value: float) -> None:
        """A new sample."""
        self.value = value

    def get_value(self) -> float:
        """The irradiance, in W/m^2 before the lookup table; NaN before the first sample."""
        self.check_enabled("get_value")
        return self.value
