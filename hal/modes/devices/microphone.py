"""A microphone (experimental in Webots)."""

from __future__ import annotations

from wbridge.hal.modes.device import Sensor

__all__ = ["Microphone"]


class Microphone(Sensor):
    """A microphone (experimental in Webots)."""

    aperture, sensitivity = 0.0, 0.0
    samples = b""

    def take_constants(self, aperture: float, sensitivity: float) -> None:
        """Store aperture and sensitivity."""
        self.aperture, self.sensitivity = aperture, sensitivity

    def take_samples(self, samples: bytes) -> None:
        """Store a new sample."""
        self.samples = samples

    def get_sample_data(self) -> bytes:
        """The latest samples."""
        return self.samples

    def get_sample_size(self) -> int:
        """The size of the latest samples in bytes."""
        return len(self.samples)
