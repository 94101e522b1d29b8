"""Docks to another connector."""

from __future__ import annotations

from hal.modes.devices.presence import PresenceDevice

__all__ = ["Connector"]


class Connector(PresenceDevice):
    """Docks to another connector."""

    def get_presence(self) -> int:
        """1: a connector that fits is near; 0: none; -1: not measurable, as for a passive connector."""
        return int(self.presence)

    def is_locked(self) -> bool:
        """True when it is locked; whether something hangs on it is another question."""
        return self.closed

    def lock(self) -> None:
        """Lock, and dock to the connector that is near, if any."""
        self.close(True)

    def unlock(self) -> None:
        """Unlock, and let the other connector go."""
        self.close(False)
