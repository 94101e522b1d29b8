"""Measures its orientation."""

from __future__ import annotations

from math import asin, atan2

from hal.modes.device import NAN, Sensor

__all__ = ["InertialUnit"]


class InertialUnit(Sensor):
    """Measures its orientation."""

    noise = 0.0
    coordinate_system = "ENU"
    quaternion = (NAN, NAN, NAN, NAN)

    def take_constants(self, noise: float, coordinate_system: str) -> None:
        """Noise and the world's axes."""
        self.noise, self.coordinate_system = noise, coordinate_system

    def take_quaternion(self, quaternion: tuple[float, float, float, float]) -> None:
        """A new sample."""
        self.quaternion = quaternion

    def get_quaternion(self) -> list[float]:
        """The orientation in the world as unit quaternion x, y, z, w; NaN before the first sample."""
        self.check_enabled("get_quaternion")
        return list(self.quaternion)

    def get_roll_pitch_yaw(self) -> list[float]:
        """The orientation as angles in rad; NaN before the first sample.

        The device is turned about the world's axes: first by roll about forward, then by pitch about
        left or right, then by yaw about the vertical. In worlds with z up (ENU) these are x, y, z; with
        y up (NUE) they are x, z, y. Roll and yaw lie within -pi to pi, pitch within -pi/2 to pi/2.
        """
        self.check_enabled("get_roll_pitch_yaw")
        x, y, z, w = self.quaternion
        # Entries of the rotation matrix R = Yaw Pitch Roll, solved for the three angles.
        if self.coordinate_system == "NUE":
            roll = atan2(2 * (x * w - y * z), 1 - 2 * (x * x + z * z))
            sine = 2 * (x * y + z * w)
            yaw = atan2(2 * (y * w - x * z), 1 - 2 * (y * y + z * z))
        else:
            roll = atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
            sine = 2 * (w * y - z * x)
            yaw = atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
        # Rounding may carry the sine a little over 1; NaN passes through.
        return [roll, asin(1.0 if sine > 1 else -1.0 if sine < -1 else sine), yaw]

    def get_noise(self) -> float:
        """The standard deviation of the noise on each angle, in rad."""
        return self.noise
