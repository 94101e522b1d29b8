"""Shows where north is."""

from __future__ import annotations

from hal.modes.device import VectorSensor

__all__ = ["Compass"]


class Compass(VectorSensor):
    """Shows where north is."""

    def get_values(self) -> list[float]:
        """The direction of north in the frame of the device.

        Returns:
            x, y, z in no unit, of length 1 before the lookup table; NaN before the first sample.
        """
        self.check_enabled("get_values")
        return list(self.values)
