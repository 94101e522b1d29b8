"""The robot's battery and the messages of its robot window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbridge.hal.modes.device import NAN

if TYPE_CHECKING:
    from wbridge.hal.modes.exchange import Exchange

__all__ = ["Battery", "Window"]

ENABLE_BATTERY, TO_WINDOW = 31, 81


class Battery:
    """The robot's battery sensor."""

    sampling_period = 0
    energy = NAN

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange

    def take_battery(self, energy: float) -> None:
        """Store a new sample."""
        self.energy = energy

    def enable(self, sampling_period: int) -> None:
        """Enable the battery sensor with a sampling period in ms; 0 disables it."""
        self.sampling_period = sampling_period
        self._exchange.command(ENABLE_BATTERY, sampling_period)

    def resend_lasting(self) -> None:
        """Say again what lasts."""
        if self.sampling_period:
            self.enable(self.sampling_period)


class Window:
    """Messages to and from the robot window."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self.received: list[bytes] = []

    def take_from_window(self, data: bytes) -> None:
        """Append received messages, which are separated by NUL bytes."""
        self.received += [one for one in data.split(b"\0") if one]

    def send(self, data: bytes) -> None:
        """Queue a message for the next packet."""
        self._exchange.queue(TO_WINDOW, data)

    def receive(self) -> bytes | None:
        """Remove and return the oldest message, or None if there is none."""
        return self.received.pop(0) if self.received else None
