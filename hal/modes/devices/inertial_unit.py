"""An inertial unit, which measures its orientation."""

from __future__ import annotations

from math import asin, atan2

from hal.modes.device import NAN, Sensor

__all__ = ["InertialUnit"]


class InertialUnit(Sensor):
    """An inertial unit, which measures its orientation."""

    noise = 0.0
    coordinate_system = "ENU"
    quaternion = (NAN, NAN, NAN, NAN)

    def take_constants(self, noise: float, coordinate_system: str) -> None:
        """Store the noise and the world's coordinate system."""
        self.noise, self.coordinate_system = noise, coordinate_system

    def take_quaternion(self, quaternion: tuple[float, float, float, float]) -> None:
        """Store a new sample."""
        self.quaternion = quaternion

    def get_quaternion(self) -> list[float]:
        """The orientation in the world as a unit quaternion x, y, z, w; NaN before the first sample."""
        self.check_enabled("get_quaternion")
        return list(self.quaternion)

    def get_roll_pitch_yaw(self) -> list[float]:
        """The orientation as angles in rad; NaN before the first sample.

        The angles are rotations about the world's axes: first roll about the forward axis, then pitch
        about the lateral axis, then yaw about the vertical axis. In ENU worlds (z up) these axes are x, y,
        z, in NUE worlds (y up) x, z, y. Roll and yaw range from -pi to pi, pitch from -pi/2 to pi/2.
        """
        self.check_enabled("get_roll_pitch_yaw")
        x, y, z, w = self.quaternion
        # Solve the entries of the rotation matrix R = Yaw Pitch Roll for the three angles.
        if self.coordinate_system == "NUE":
            roll = atan2(2 * (x * w - y * z), 1 - 2 * (x * x + z * z))
            sine = 2 * (x * y + z * w)
            yaw = atan2(2 * (y * w - x * z), 1 - 2 * (y * y + z * z))
        else:
            roll = atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
            sine = 2 * (w * y - z * x)
            yaw = atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
        # Rounding errors can raise the sine slightly above 1; NaN passes through.
        return [roll, asin(1.0 if sine > 1 else -1.0 if sine < -1 else sine), yaw]

    def get_noise(self) -> float:
        """The standard deviation of the noise on each angle, in rad."""
        return self.noise
