"""The Compass: measures the direction to the north."""

from __future__ import annotations

from wbcore.devices.axes import AxesSensor
from wbcore.physics.pose import Vec3


class Compass(AxesSensor):
    """Measures the direction to the north as a unit vector in its own axes."""

    def vector(self, elapsed: float) -> Vec3:
        """North, horizontal."""
        return self.mount.to_local(self.simulation.physics.plan.settings.north)
