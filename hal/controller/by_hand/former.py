"""Classes of the object API of Webots 8: Servo and DifferentialWheels."""

from __future__ import annotations

from hal.api.by_hand import servo as functions
from hal.controller.motor import Motor
from hal.controller.robot import Robot
from hal.modes.device import NAN
from hal.modes.wheels import wheels_of

__all__ = ["DifferentialWheels", "Servo"]


class Servo(Motor):
    """A motor together with the position sensor of its joint; use Motor and PositionSensor."""

    def setMotorForce(self, motor_force: float) -> None:
        """Set the most that the motor may use (N or N m)."""
        self._device.set_available_force(motor_force)

    def setControlP(self, p: float) -> None:
        """Set the proportional gain; the other gains become 0."""
        functions.wb_servo_set_control_p(self._tag, p)

    def enablePosition(self, ms: int) -> None:
        """Measure the position each `ms` ms; 0 stops it."""
        functions.wb_servo_enable_position(self._tag, ms)

    def disablePosition(self) -> None:
        """Stop measuring the position."""
        functions.wb_servo_disable_position(self._tag)

    def getPositionSamplingPeriod(self) -> int:
        """The sampling period of the position in ms; 0 when it is off."""
        return functions.wb_servo_get_position_sampling_period(self._tag)

    def getPosition(self) -> float:
        """The position of the joint (rad or m); NaN before the first sample."""
        return functions.wb_servo_get_position(self._tag)

    def enableMotorForceFeedback(self, ms: int) -> None:
        """Measure the force of the motor each `ms` ms; 0 stops it."""
        self._device.enable_force_feedback(ms)

    def disableMotorForceFeedback(self) -> None:
        """Stop measuring the force of the motor."""
        self._device.disable_force_feedback()

    def getMotorForceFeedbackSamplingPeriod(self) -> int:
        """The sampling period of the force in ms; 0 when it is off."""
        return self._device.get_force_feedback_sampling_period()

    def getMotorForceFeedback(self) -> float:
        """The force that the motor uses (N or N m); NaN before the first sample."""
        return self._device.get_force_feedback()


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
