"""Records sound (experimental in Webots)."""

from __future__ import annotations

from hal.modes.device import Sensor

__all__ = ["Microphone"]


class Microphone(Sensor):
    """Records sound (experimental in Webots)."""

    aperture, sensitivity = 0.0, 0.0
    samples = b""

    def take_constants(self, aperture: float, sensitivity: float) -> None:
        """Aperture and sensitivity."""
        self.aperture, self.sensitivity = aperture, sensitivity

    def take_samples(self, samples: bytes) -> None:
        """A new sample."""
        self.samples = samples

    def get_sample_data(self) -> bytes:
        """The newest samples."""
        return self.samples

    def get_sample_size(self) -> int:
        """The size of the newest samples in bytes."""
        return len(self.samples)
