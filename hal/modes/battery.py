"""The robot's battery and its window: what comes with the answers besides devices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hal.modes.device import NAN

if TYPE_CHECKING:
    from hal.modes.exchange import Exchange

__all__ = ["Battery", "Window"]

ENABLE_BATTERY, TO_WINDOW = 31, 81


class Battery:
    """The energy in the robot."""

    sampling_period = 0
    energy = NAN

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange

    def take_battery(self, energy: float) -> None:
        """A new sample."""
        self.energy = energy

    def enable(self, sampling_period: int) -> None:
        """Start measuring; the period is in ms, 0 stops it."""
        self.sampling_period = sampling_period
        self._exchange.command(ENABLE_BATTERY, sampling_period)

    def say_again(self) -> None:
        """Say again what lasts."""
        if self.sampling_period:
            self.enable(self.sampling_period)


class Window:
    """Messages to and from the robot's window."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self.received: list[bytes] = []

    def take_from_window(self, data: bytes) -> None:
        """Messages have come; texts among them end with a NUL."""
        self.received += [one for one in data.split(b"\0") if one]

    def send(self, data: bytes) -> None:
        """Queue a message; it leaves with the next packet."""
        self._exchange.queue(TO_WINDOW, data)

    def receive(self) -> bytes | None:
        """The oldest message; None when there is none."""
        return self.received.pop(0) if self.received else None
