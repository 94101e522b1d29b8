"""Measures its height above the world's origin."""

from __future__ import annotations

from hal.modes.device import NAN, Sensor

__all__ = ["Altimeter"]


class Altimeter(Sensor):
    """Measures its height above the world's origin."""

    value = NAN

    def take_value(self, value: float) -> None:
        """A new sample."""
        self.value = value

    def get_value(self) -> float:
        """The height along the vertical axis, in m; NaN before the first sample."""
        self.check_enabled("get_value")
        return self.value
