"""The Microphone: it can be enabled, but hears nothing."""

from __future__ import annotations

from wbcore.devices.sensor import Sensor


class Microphone(Sensor):
    """A device that Webots calls experimental; there is no sound to be heard."""

    def enabled(self, period: int) -> None:
        """Say that it hears nothing."""
        if period:
            self.robot.warn(f'microphone "{self.name}" hears nothing: sounds are not simulated')

    def measure(self, elapsed: float) -> None:
        """Nothing."""
        return
