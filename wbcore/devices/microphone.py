"""The Microphone: can be enabled but records nothing."""

from __future__ import annotations

from wbcore.devices.sensor import Sensor


class Microphone(Sensor):
    """A device that Webots marks as experimental; sound is not simulated."""

    def enabled(self, period: int) -> None:
        """Warn that it records nothing."""
        if period:
            self.robot.warn(f'microphone "{self.name}" records nothing: sound is not simulated')

    def measure(self, elapsed: float) -> None:
        """Nothing."""
        return
