"""The PositionSensor."""

from __future__ import annotations

from typing import Any

from wbcore.devices.sensor import Sensor


class PositionSensor(Sensor):
    """Measures the position of a joint."""

    def constants(self) -> dict[str, Any]:
        """The kind of joint as a number."""
        return {"type": int(self.entry.constants["type"] == "linear")}

    def measure(self, elapsed: float) -> tuple[Any, ...]:
        """Position (rad or m)."""
        return (self.simulation.physics.handles.axes[self.node].position,)
