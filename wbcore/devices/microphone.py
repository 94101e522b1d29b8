"""The Microphone: can be enabled but records nothing.

Source: WbMicrophone.cpp: each sample is asked for by the signal soundSampleRequested, which is connected to
nothing, so that controllers never get one.
"""

from __future__ import annotations

from wbridge.wbcore.devices.sensor import Sensor


class Microphone(Sensor):
    """A device without samples, as in Webots."""

    def enabled(self, period: int) -> None:
        """Warn that it records nothing."""
        if period:
            self.robot.warn(f'microphone "{self.name}" records nothing: sound is not simulated')

    def measure(self, elapsed: float) -> None:
        """Nothing."""
        return
