"""The class DifferentialWheels of Webots 8."""

from __future__ import annotations

from hal.controller.robot import Robot
from hal.modes.device import NAN
from hal.modes.wheels import wheels_of

__all__ = ["DifferentialWheels"]


class DifferentialWheels(Robot):
    """A robot with two wheels; use Robot, Motor and PositionSensor."""

    def setSpeed(self, left: float, right: float) -> None:
        """Turn the wheels.

        Args:
            left: of the left wheel, in units of `speedUnit` (rad/s); positive drives forward.
            right: of the right wheel.
        """
        wheels = wheels_of(self._robot, "set_speed")
        if wheels is not None:
            wheels.set_speed(left, right)

    def enableEncoders(self, ms: int) -> None:
        """Start counting the turns of the wheels, each `ms` ms; 0 stops it."""
        wheels = wheels_of(self._robot, "enable_encoders")
        if wheels is not None:
            wheels.enable_encoders(ms)

    def disableEncoders(self) -> None:
        """Stop counting the turns of the wheels."""
        self.enableEncoders(0)

    def getEncodersSamplingPeriod(self) -> int:
        """The sampling period of the encoders in ms; 0 when they are off."""
        wheels = wheels_of(self._robot, "get_encoders_sampling_period")
        return wheels.get_encoders_sampling_period() if wheels is not None else 0

    def setEncoders(self, left: float, right: float) -> None:
        """Let the encoders go on from these values (increments)."""
        wheels = wheels_of(self._robot, "set_encoders")
        if wheels is not None:
            wheels.set_encoders(left, right)

    def getLeftEncoder(self) -> float:
        """Increments of the left wheel (rad * `encoderResolution`); NaN before the first sample."""
        wheels = wheels_of(self._robot, "get_left_encoder")
        return wheels.get_left_encoder() if wheels is not None else NAN

    def getRightEncoder(self) -> float:
        """Increments of the right wheel (rad * `encoderResolution`); NaN before the first sample."""
        wheels = wheels_of(self._robot, "get_right_encoder")
        return wheels.get_right_encoder() if wheels is not None else NAN

    def getLeftSpeed(self) -> float:
        """The speed of the left wheel that was set last, in units of `speedUnit`."""
        wheels = wheels_of(self._robot, "get_left_speed")
        return wheels.get_left_speed() if wheels is not None else NAN

    def getRightSpeed(self) -> float:
        """The speed of the right wheel that was set last, in units of `speedUnit`."""
        wheels = wheels_of(self._robot, "get_right_speed")
        return wheels.get_right_speed() if wheels is not None else NAN

    def getMaxSpeed(self) -> float:
        """The field `maxSpeed`, in rad/s."""
        wheels = wheels_of(self._robot, "get_max_speed")
        return wheels.get_max_speed() if wheels is not None else NAN

    def getSpeedUnit(self) -> float:
        """The field `speedUnit`, in rad/s."""
        wheels = wheels_of(self._robot, "get_speed_unit")
        return wheels.get_speed_unit() if wheels is not None else NAN
