"""An altimeter, which measures its height above the origin of the world."""

from __future__ import annotations

from hal.modes.device import NAN, Sensor

__all__ = ["Altimeter"]


class Altimeter(Sensor):
    """An altimeter, which measures its height above the origin of the world."""

    value = NAN

    def take_value(self, value: float) -> None:
        """Store a new sample."""
        self.value = value

    def get_value(self) -> float:
        """The height above the origin of the world, in m; NaN before the first sample."""
        self.check_enabled("get_value")
        return self.value
