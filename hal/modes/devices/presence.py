"""Base class of devices that attach objects and detect their presence."""

from __future__ import annotations

from wbridge.hal.modes.device import DeviceHandle

__all__ = ["PresenceDevice"]

PRESENCE, CLOSE, OPEN = 1, 2, 3


class PresenceDevice(DeviceHandle):
    """A connector or vacuum gripper."""

    state = (PRESENCE, CLOSE, OPEN)
    presence: int | bool = 0
    presence_period = 0
    closed = False

    def take_presence(self, presence: int) -> None:
        """Store a new sample."""
        self.presence = presence

    def take_constants(self, closed: bool) -> None:
        """Store whether the device is locked or on."""
        self.closed = closed

    def close(self, closed: bool) -> None:
        """Lock or unlock the device."""
        on, off = (CLOSE, OPEN) if closed else (OPEN, CLOSE)
        for commands in (self.pending, self.lasting):
            commands.pop(off, None)
        self.closed = closed
        self.command(on)

    def enable_presence(self, sampling_period: int) -> None:
        """Enable the presence detection.

        Args:
            sampling_period: in ms; 0 disables the detection.
        """
        period = int(sampling_period)
        if not self.is_bad_period("enable_presence", period):
            self.presence_period = period
            self.command(PRESENCE, period)

    def disable_presence(self) -> None:
        """Disable the presence detection."""
        self.enable_presence(0)

    def get_presence_sampling_period(self) -> int:
        """The sampling period of the presence detection in ms, or 0 if it is disabled."""
        return self.presence_period
