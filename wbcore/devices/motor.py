"""Motors: commands of the controller for the engine's motor."""

from __future__ import annotations

from typing import Any

from wbcore.devices.device import Device
from wbcore.engine import _engine


class Motor(Device):
    """Rotational and linear motors."""

    @property
    def engine(self) -> _engine.Motor:
        """The engine's motor."""
        return self.simulation.physics.handles.motors[self.node]

    def constants(self) -> dict[str, Any]:
        """Targets of now, and what the table names otherwise."""
        c = self.entry.constants
        p, i, d = c["controlPID"]
        m = self.engine
        return {
            "type": int(c["type"] == "linear"),
            "max_force": c.get("maxTorque", c.get("maxForce")),
            "p": p,
            "i": i,
            "d": d,
            "position": m.target_position,
            "velocity": m.target_velocity,
            "couplings": c["coupled"],
        }

    def on_set_position(self, position: float) -> None:
        """Set the target position (rad or m); infinite: velocity control."""
        self.engine.set_position(position)

    def on_set_velocity(self, velocity: float) -> None:
        """Set the velocity (rad/s or m/s)."""
        self.engine.set_velocity(velocity)
