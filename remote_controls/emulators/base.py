"""What all emulated robots have: bytes in, bytes out, time that passes, and sensors that people set."""

from __future__ import annotations

import difflib
from typing import NamedTuple

__all__ = ["EmulatedRobot", "Setting", "SettingError"]


class SettingError(ValueError):
    """A sensor that the robot does not have, or a value that it cannot show."""


class Setting(NamedTuple):
    """Something about the robot's world that can be set."""

    value: float
    low: float
    high: float


class EmulatedRobot:
    """A robot at the other end of a byte pipe."""

    BAUD = 0
    """Speed of its serial line, in bits per second; 0: it takes any."""

    def __init__(self, settings: dict[str, Setting]) -> None:
        """
        Args:
            settings: what can be set, by name, with the values at the beginning.
        """
        self._limits = settings
        self.values = {name: setting.value for name, setting in settings.items()}
        """What the robot's sensors see."""
        self.time = 0.0
        """In s, since the robot was switched on."""

    def receive(self, data: bytes) -> bytes:
        """Take some bytes; the answer."""
        raise NotImplementedError

    def pass_time(self, seconds: float) -> bytes:
        """Let time pass; what the robot says by itself."""
        self.time += seconds
        return b""

    def greeting(self) -> bytes:
        """What the robot says when it is switched on."""
        return b""

    def state(self) -> dict[str, float]:
        """What there is to see of the robot: wheels, LEDs, place."""
        raise NotImplementedError

    def set(self, name: str, value: float) -> None:
        """Let a sensor see a value.

        Raises:
            SettingError: there is no such sensor, or it cannot see this.
        """
        if name not in self._limits:
            close = difflib.get_close_matches(name, self._limits, 1)
            hint = f', did you mean "{close[0]}"?' if close else ""
            raise SettingError(f'there is no "{name}"{hint}; there are: {", ".join(self._limits)}')
        _, low, high = self._limits[name]
        if not low <= value <= high:
            raise SettingError(f"{name} is {value:g}; allowed: {low:g} to {high:g}")
        self.values[name] = value

    def read(self, name: str) -> int:
        """A sensor's value as a whole number."""
        return round(self.values[name])
