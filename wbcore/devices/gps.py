"""The GPS: position and speed."""

from __future__ import annotations

from typing import Any

from wbcore.devices.sensor import Sensor


class GPS(Sensor):
    """Measures where it is."""

    MESSAGE = "values"

    def constants(self) -> dict[str, Any]:
        """The coordinate system as a number."""
        return {"coordinate_system": int(self.entry.constants["coordinateSystem"] == "WGS84")}

    def measure(self, elapsed: float) -> tuple[Any, ...]:
        """Position (m), speed (m/s), velocity (m/s)."""
        physics = self.simulation.physics
        linear, _ = physics.velocity(self.node)
        speed = sum(one * one for one in linear) ** 0.5
        return physics.pose(self.node).position, speed, linear
