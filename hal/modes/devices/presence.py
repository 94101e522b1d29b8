"""What devices share that hold something and feel whether it is there."""

from __future__ import annotations

from hal.modes.device import Device

__all__ = ["PresenceDevice"]

PRESENCE, CLOSE, OPEN = 1, 2, 3


class PresenceDevice(Device):
    """A connector or gripper."""

    state = (PRESENCE, CLOSE, OPEN)
    presence: int | bool = 0
    presence_period = 0
    closed = False

    def take_presence(self, presence: int) -> None:
        """A new sample."""
        self.presence = presence

    def take_constants(self, closed: bool) -> None:
        """Whether it holds."""
        self.closed = closed

    def close(self, closed: bool) -> None:
        """Hold or let go."""
        on, off = (CLOSE, OPEN) if closed else (OPEN, CLOSE)
        for commands in (self.pending, self.said):
            commands.pop(off, None)
        self.closed = closed
        self.command(on)

    def enable_presence(self, sampling_period: int) -> None:
        """Start feeling whether something is there.

        Args:
            sampling_period: between two samples, in ms; 0 stops it.
        """
        period = int(sampling_period)
        if not self.is_bad_period("enable_presence", period):
            self.presence_period = period
            self.command(PRESENCE, period)

    def disable_presence(self) -> None:
        """Stop feeling whether something is there."""
        self.enable_presence(0)

    def get_presence_sampling_period(self) -> int:
        """The sampling period of the presence in ms; 0 when it is off."""
        return self.presence_period
