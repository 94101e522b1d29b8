"""The class Servo of Webots 8."""

from __future__ import annotations

from wbridge.hal.api.by_hand import servo as functions
from wbridge.hal.controller.motor import Motor

__all__ = ["Servo"]


class Servo(Motor):
    """A motor with the position sensor of its joint; use Motor and PositionSensor instead."""

    def setMotorForce(self, motor_force: float) -> None:
        """Set the available force (torque), in N (N m)."""
        self._device.set_available_force(motor_force)

    def setControlP(self, p: float) -> None:
        """Set the proportional gain; the other gains become 0."""
        functions.wb_servo_set_control_p(self._tag, p)

    def enablePosition(self, ms: int) -> None:
        """Enable the position sensor with a sampling period in ms; 0 disables it."""
        functions.wb_servo_enable_position(self._tag, ms)

    def disablePosition(self) -> None:
        """Disable the position sensor."""
        functions.wb_servo_disable_position(self._tag)

    def getPositionSamplingPeriod(self) -> int:
        """The sampling period of the position sensor in ms, or 0 if it is disabled."""
        return functions.wb_servo_get_position_sampling_period(self._tag)

    def getPosition(self) -> float:
        """The position of the joint, in rad or m; NaN before the first sample."""
        return functions.wb_servo_get_position(self._tag)

    def enableMotorForceFeedback(self, ms: int) -> None:
        """Enable the force (torque) feedback with a sampling period in ms; 0 disables it."""
        self._device.enable_force_feedback(ms)

    def disableMotorForceFeedback(self) -> None:
        """Disable the force (torque) feedback."""
        self._device.disable_force_feedback()

    def getMotorForceFeedbackSamplingPeriod(self) -> int:
        """The sampling period of the force (torque) feedback in ms, or 0 if it is disabled."""
        return self._device.get_force_feedback_sampling_period()

    def getMotorForceFeedback(self) -> float:
        """The force (torque) that the motor applies, in N (N m); NaN before the first sample."""
        return self._device.get_force_feedback()
