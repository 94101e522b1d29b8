"""The DistanceSensor."""

from __future__ import annotations

from typing import Any

from wbcore.devices.sensor import Sensor


class DistanceSensor(Sensor):
    """Measures distances along rays."""

    def constants(self) -> dict[str, Any]:
        """The type as a number."""
        return {"type": ("generic", "infra-red", "sonar", "laser").index(self.entry.constants["type"])}

    def measure(self, elapsed: float) -> tuple[Any, ...]:
        """The value."""
        return (0.0,)
