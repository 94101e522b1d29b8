"""An altimeter, which measures its height above the origin of the world."""

from __future__ import annotations

from wbridge.hal.modes.device import NumberSensor

__all__ = ["Altimeter"]


class Altimeter(NumberSensor):
    """An altimeter, which measures its height above the origin of the world."""

    def get_value(self) -> float:
        """The height above the origin of the world, in m; NaN before the first sample."""
        self.check_enabled("get_value")
        return self.value
