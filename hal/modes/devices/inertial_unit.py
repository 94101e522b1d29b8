"""An inertial unit, which measures its orientation."""

from __future__ import annotations

from wbridge.hal.modes.device import NAN, Sensor
from wbridge.hal.protocol.angles import roll_pitch_yaw

__all__ = ["InertialUnit"]


class InertialUnit(Sensor):
    """An inertial unit, which measures its orientation."""

    noise = 0.0
    coordinate_system = "ENU"
    quaternion = (NAN, NAN, NAN, NAN)
    angles: tuple[float, float, float] | None = None
    """Roll, pitch and yaw, if the simulator sends them."""

    def take_constants(self, noise: float, coordinate_system: str) -> None:
        """Store the noise and the world's coordinate system."""
        self.noise, self.coordinate_system = noise, coordinate_system

    def take_quaternion(self, quaternion: tuple[float, float, float, float]) -> None:
        """Store a new sample."""
        self.quaternion = quaternion

    def take_angles(self, angles: tuple[float, float, float]) -> None:
        """Store the angles of a new sample that do not follow from the quaternion."""
        self.angles = angles

    def get_quaternion(self) -> list[float]:
        """The orientation in the world as a unit quaternion x, y, z, w; NaN before the first sample."""
        self.check_enabled("get_quaternion")
        return list(self.quaternion)

    def get_roll_pitch_yaw(self) -> list[float]:
        """The orientation as angles in rad; NaN before the first sample.

        See `wbridge.hal.protocol.angles.roll_pitch_yaw`. In worlds from before R2021a, they are values of the
        lookup table, and NaN for axes that are disabled.
        """
        self.check_enabled("get_roll_pitch_yaw")
        if self.angles is not None:
            return list(self.angles)
        return roll_pitch_yaw(self.quaternion, self.coordinate_system)

    def get_noise(self) -> float:
        """The standard deviation of the noise on each angle, in rad."""
        return self.noise
