"""The class DifferentialWheels of Webots 8."""

from __future__ import annotations

from wbridge.hal.controller.robot import Robot

__all__ = ["DifferentialWheels"]


class DifferentialWheels(Robot):
    """A robot with two wheels; use Robot, Motor and PositionSensor instead."""

    def setSpeed(self, left: float, right: float) -> None:
        """Set the speeds of the wheels.

        Args:
            left: speed of the left wheel, in units of `speedUnit` (rad/s); positive is forward.
            right: speed of the right wheel.
        """
        self._wb_robot.wheels.set_speed(left, right)

    def enableEncoders(self, ms: int) -> None:
        """Enable the wheel encoders with a sampling period in ms; 0 disables them."""
        self._wb_robot.wheels.enable_encoders(ms)

    def disableEncoders(self) -> None:
        """Disable the wheel encoders."""
        self.enableEncoders(0)

    def getEncodersSamplingPeriod(self) -> int:
        """The sampling period of the encoders in ms, or 0 if they are disabled."""
        return self._wb_robot.wheels.get_encoders_sampling_period()

    def setEncoders(self, left: float, right: float) -> None:
        """Set the encoder values, in increments, without moving the wheels."""
        self._wb_robot.wheels.set_encoders(left, right)

    def getLeftEncoder(self) -> float:
        """The left encoder, in increments (rad * `encoderResolution`); NaN before the first sample."""
        return self._wb_robot.wheels.get_left_encoder()

    def getRightEncoder(self) -> float:
        """The right encoder, in increments (rad * `encoderResolution`); NaN before the first sample."""
        return self._wb_robot.wheels.get_right_encoder()

    def getLeftSpeed(self) -> float:
        """The last speed set for the left wheel, in units of `speedUnit`."""
        return self._wb_robot.wheels.get_left_speed()

    def getRightSpeed(self) -> float:
        """The last speed set for the right wheel, in units of `speedUnit`."""
        return self._wb_robot.wheels.get_right_speed()

    def getMaxSpeed(self) -> float:
        """The field `maxSpeed`, in rad/s."""
        return self._wb_robot.wheels.get_max_speed()

    def getSpeedUnit(self) -> float:
        """The field `speedUnit`, in rad/s."""
        return self._wb_robot.wheels.get_speed_unit()
