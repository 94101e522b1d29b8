"""A distance sensor, which measures the distance to the object in front of it."""

from __future__ import annotations

from wbridge.hal.modes.device import LookupSensor, NumberSensor

__all__ = ["DistanceSensor"]


class DistanceSensor(LookupSensor, NumberSensor):
    """A distance sensor, which measures the distance to the object in front of it."""

    type, min_value, max_value, aperture = 0, 0.0, 0.0, 0.0

    def take_constants(
        self,
        type_: int,
        min_value: float,
        max_value: float,
        aperture: float,
        lookup_table: list[tuple[float, float, float]],
    ) -> None:
        """Store the type of sensor, the bounds of its readings, aperture and lookup table."""
        self.type, self.min_value, self.max_value, self.aperture = type_, min_value, max_value, aperture
        self.lookup_table = lookup_table

    def get_value(self) -> float:
        """The reading, in the unit of the lookup table (m if it is empty); NaN before the first sample."""
        if self.sampling_period <= 0:
            self.check_enabled("get_value")
        return self.value

    def get_max_value(self) -> float:
        """The maximum value in the lookup table."""
        return self.max_value

    def get_min_value(self) -> float:
        """The minimum value in the lookup table."""
        return self.min_value

    def get_aperture(self) -> float:
        """The aperture angle, in rad."""
        return self.aperture

    def get_type(self) -> int:
        """The type: 0 generic, 1 infra-red, 2 sonar, 3 laser."""
        return self.type
