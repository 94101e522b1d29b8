"""The Compass: measures the direction to the north."""

from __future__ import annotations

from wbridge.wbcore.devices.axes import AxesSensor
from wbridge.wbcore.engine import _engine


class Compass(AxesSensor):
    """Measures the direction of north as a horizontal unit vector in its own axes."""

    def source(self) -> _engine.Source:
        """Return the measurement of the north vector."""
        self.mount.follow()
        physics = self.simulation.physics
        north = physics.plan.settings.north
        return _engine.Direction(physics.engine, self.mount.native, self.response(), north)
