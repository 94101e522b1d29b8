"""A vacuum gripper, which attaches solids by suction."""

from __future__ import annotations

from wbridge.hal.modes.devices.presence import PresenceDevice

__all__ = ["VacuumGripper"]


class VacuumGripper(PresenceDevice):
    """A vacuum gripper, which attaches solids by suction."""

    def get_presence(self) -> bool:
        """True if a solid touches the gripper."""
        return bool(self.presence)

    def is_on(self) -> bool:
        """True when the suction is on."""
        return self.closed

    def turn_on(self) -> None:
        """Turn the suction on; the first solid that touches the gripper is attached."""
        self.close(True)

    def turn_off(self) -> None:
        """Turn the suction off, and detach the solid."""
        self.close(False)
