"""A connector, which docks to another connector."""

from __future__ import annotations

from wbridge.hal.modes.devices.presence import PresenceDevice

__all__ = ["Connector"]


class Connector(PresenceDevice):
    """A connector, which docks to another connector."""

    def get_presence(self) -> int:
        """1: a compatible connector is near; 0: none is near; -1: not applicable (passive connector)."""
        return int(self.presence)

    def is_locked(self) -> bool:
        """True if the connector is locked, whether or not another connector is attached."""
        return self.closed

    def lock(self) -> None:
        """Lock the connector; it attaches to a compatible connector nearby, if any."""
        self.close(True)

    def unlock(self) -> None:
        """Unlock the connector, and detach the other connector."""
        self.close(False)
