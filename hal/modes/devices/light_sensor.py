"""A light sensor, which measures the irradiance."""

from __future__ import annotations

from wbridge.hal.modes.device import LookupSensor, NumberSensor

__all__ = ["LightSensor"]


class LightSensor(LookupSensor, NumberSensor):
    """A light sensor, which measures the irradiance."""

    def take_constants(self, lookup_table: list[tuple[float, float, float]]) -> None:
        """Store the lookup table."""
        self.lookup_table = lookup_table

    def get_value(self) -> float:
        """The irradiance, in the lookup table's unit (W/m^2 if it is empty); NaN before the first sample."""
        self.check_enabled("get_value")
        return self.value
