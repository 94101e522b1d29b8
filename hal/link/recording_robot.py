"""A robot without physics, for testing controllers: it records commands and reports the values you set."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wbridge.hal.link.numbering import LinkChannel, Slot

__all__ = ["RecordingRobot"]


class RecordingRobot:
    """A `wbridge.hal.link.slave.RobotSide` whose sensors report `values`."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        """Readings of sensors by the label of their channel, for example "left sensor.position"."""
        self.commands: list[tuple[str, Any]] = []
        """All commands so far: labels and values."""
        self.state: dict[str, Any] = {}
        """The newest command of each channel; empty after a stop."""
        self.periods: dict[str, int] = {}
        """Sampling periods in ms by name of the device; 0: off."""
        self.waiting: list[tuple[LinkChannel, object]] = []
        """Events to be sent."""
        self.stops = 0
        """How many times the robot was stopped."""
        self.now = 0
        """The sum of the steps so far, in ms."""

    def set(self, channel: LinkChannel, value: object) -> None:
        """Record a command."""
        self.commands.append((channel.label, value))
        self.state[channel.label] = value

    def set_period(self, slot: Slot, period: int) -> None:
        """Record a sampling period."""
        self.periods[slot.device] = period

    def step(self, elapsed: int) -> bool:
        """Advance the clock."""
        self.now += elapsed
        return True

    def read(self, channel: LinkChannel) -> Any:
        """The value of a sensor."""
        return self.values.get(channel.label)

    def events(self) -> Iterable[tuple[LinkChannel, object]]:
        """The pending events."""
        waiting, self.waiting = self.waiting, []
        return waiting

    def stop(self) -> None:
        """Clear the state."""
        self.state.clear()
        self.stops += 1

    def time(self) -> int:
        """The robot's clock in ms."""
        return self.now
