"""Sucks solids."""

from __future__ import annotations

from hal.modes.devices.presence import PresenceDevice

__all__ = ["VacuumGripper"]


class VacuumGripper(PresenceDevice):
    """Sucks solids."""

    def get_presence(self) -> bool:
        """True when a solid touches the gripper."""
        return bool(self.presence)

    def is_on(self) -> bool:
        """True when the suction is on."""
        return self.closed

    def turn_on(self) -> None:
        """Suck; the first solid that touches is held."""
        self.close(True)

    def turn_off(self) -> None:
        """Stop sucking, and let the solid go."""
        self.close(False)
