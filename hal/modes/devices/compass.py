"""A compass, which measures the direction of north."""

from __future__ import annotations

from wbridge.hal.modes.device import VectorSensor

__all__ = ["Compass"]


class Compass(VectorSensor):
    """A compass, which measures the direction of north."""

    def get_values(self) -> list[float]:
        """The direction of north in the device's frame.

        Returns:
            x, y, z without unit, a unit vector before the lookup table; NaN before the first sample.
        """
        self.check_enabled("get_values")
        return list(self.values)
