"""The class Servo of Webots 8."""

from __future__ import annotations

from hal.api.by_hand import servo as functions
from hal.controller.motor import Motor

__all__ = ["Servo"]


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
