"""The LightSensor: irradiance from the lights of the world."""

from __future__ import annotations

from wbridge.wbcore.devices.mounted import MountedSensor
from wbridge.wbcore.devices.response import response_of
from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.pose import Vec3


class LightSensor(MountedSensor):
    """Measures the irradiance (W/m^2) of all lights in front of it, along +x (manual, LightSensor)."""

    def prepare(self) -> None:
        """Read the lookup table, the filter and the occlusion flag."""
        node = self.node
        self._respond = response_of(self)
        self._filter: Vec3 = node.get("colorFilter")
        self._occlusion = bool(node.get("occlusion"))

    def source(self) -> _engine.Source:
        """Return the measurement of the converted mean of the three filtered colors."""
        self.mount.follow()
        robot = self.mount.solid.robot
        number = robot.number if robot is not None else -1
        return _engine.Irradiance(
            self.simulation.physics.engine,
            self.simulation.lights.refresh(),
            self.mount.native,
            self._respond.native,
            self._filter,
            number if self._occlusion else None,
        )
