"""Base class of emulated robots: bytes in, bytes out, passing time, and sensors that users set."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import NamedTuple


class SettingError(ValueError):
    """Raised for an unknown sensor, or a value out of its range."""


class Setting(NamedTuple):
    """A settable property of the robot's environment."""

    value: float
    low: float
    high: float


class EmulatedRobot:
    """A robot at the other end of a byte pipe."""

    BAUD = 0
    """Speed of its serial line, in bits per second; 0: any."""

    def __init__(self, settings: dict[str, Setting]) -> None:
        """
        Args:
            settings: the settable properties by name, with initial values.
        """
        self._limits = settings
        self.values = {name: setting.value for name, setting in settings.items()}
        """The values seen by the robot's sensors."""
        self.time = 0.0
        """Time since the robot was switched on, in s."""

    def receive(self, data: bytes) -> bytes:
        """Process received bytes; return the answer."""
        raise NotImplementedError

    def pass_time(self, seconds: float) -> bytes:
        """Let time pass; return what the robot sends by itself."""
        self.time += seconds
        return b""

    def greeting(self) -> bytes:
        """Return what the robot sends when it is switched on."""
        return b""

    def state(self) -> dict[str, float]:
        """Return the visible state of the robot: wheels, LEDs, pose."""
        raise NotImplementedError

    def set(self, name: str, value: float) -> None:
        """Set the value seen by a sensor.

        Raises:
            SettingError: the sensor is unknown, or the value is out of range.
        """
        if name not in self._limits:
            close = difflib.get_close_matches(name, self._limits, 1)
            hint = f', did you mean "{close[0]}"?' if close else ""
            raise SettingError(f'no sensor "{name}"{hint}; available: {", ".join(self._limits)}')
        _, low, high = self._limits[name]
        if not low <= value <= high:
            raise SettingError(f"{name} is {value:g}; allowed: {low:g} to {high:g}")
        self.values[name] = value

    def show(self, pictures: Path) -> None:
        """Let the camera see a picture, or those of a folder one after the other.

        Raises:
            SettingError: it has no camera, or the pictures cannot be read.
        """
        raise SettingError("this robot has no camera")

    def read(self, name: str) -> int:
        """Return a sensor's value as a whole number."""
        return round(self.values[name])
