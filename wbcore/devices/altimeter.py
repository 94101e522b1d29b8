"""The Altimeter: measures its height."""

from __future__ import annotations

from wbridge.wbcore.devices.drift import Drift, correlation
from wbridge.wbcore.devices.geodesy import reference
from wbridge.wbcore.devices.limits import limited
from wbridge.wbcore.devices.mounted import MountedSensor
from wbridge.wbcore.devices.response import rounded
from wbridge.wbcore.physics.pose import dot


class Altimeter(MountedSensor):
    """Measures the height (m) above the plane of WorldInfo.gpsReference."""

    def prepare(self) -> None:
        """Read accuracy and resolution."""
        self._accuracy = limited(self, "accuracy", 0, 0)
        self._correlation = limited(self, "noiseCorrelation", 0, 0, 1)
        self._resolution = float(self.node.get("resolution"))
        self._drift = Drift(1)

    def save_more(self) -> list[float]:
        """Return the last noise value, with which the next one is correlated."""
        return self._drift.values

    def load_more(self, state: list[float]) -> None:
        """See `save_more`."""
        self._drift.restart(state)

    def measure(self, elapsed: float) -> tuple[object, ...]:
        """Return the height (m) with noise, rounded to the resolution."""
        self.mount.follow()
        origin = reference(self.simulation.physics.plan.settings)
        height = dot(self.mount.position(), origin.up) + origin.height
        if self._accuracy > 0:
            kept = correlation(self._correlation, elapsed)
            height += self._accuracy * self._drift.next(kept, self.simulation.random)[0]
        return (rounded(height, self._resolution),)
