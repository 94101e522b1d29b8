"""The Compass: measures the direction to the north."""

from __future__ import annotations

from wbcore.devices.axes import AxesSensor
from wbcore.physics.pose import Vec3


class Compass(AxesSensor):
    """Measures the direction of north as a unit vector in its own axes."""

    def vector(self, elapsed: float) -> Vec3:
        """Return the horizontal north vector."""
        return self.mount.to_local(self.simulation.physics.plan.settings.north)
