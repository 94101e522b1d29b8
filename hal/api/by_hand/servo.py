"""Functions of Servo, a node of Webots 8: a motor with the position sensor of its joint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbridge.hal.client._native import Motor
from wbridge.hal.client.arguments import NAN
from wbridge.hal.client.session import current

if TYPE_CHECKING:
    from wbridge.hal.client._native import PositionSensor


def _sensor(tag: int, function: str) -> PositionSensor | None:
    """The position sensor on the joint of a motor."""
    return current().joint_sensor(tag) if current().find(tag, Motor, function) is not None else None


def wb_servo_set_position(tag: int, position: float) -> None:
    """See `wb_motor_set_position`."""
    motor = current().find(tag, Motor, "wb_servo_set_position")
    if motor is not None:
        motor.set_position(position)


def wb_servo_set_velocity(tag: int, velocity: float) -> None:
    """See `wb_motor_set_velocity`."""
    motor = current().find(tag, Motor, "wb_servo_set_velocity")
    if motor is not None:
        motor.set_velocity(velocity)


def wb_servo_set_acceleration(tag: int, acceleration: float) -> None:
    """See `wb_motor_set_acceleration`."""
    motor = current().find(tag, Motor, "wb_servo_set_acceleration")
    if motor is not None:
        motor.set_acceleration(acceleration)


def wb_servo_set_motor_force(tag: int, force: float) -> None:
    """See `wb_motor_set_available_force`."""
    motor = current().find(tag, Motor, "wb_servo_set_motor_force")
    if motor is not None:
        motor.set_available_force(force)


def wb_servo_set_force(tag: int, force: float) -> None:
    """See `wb_motor_set_force`."""
    motor = current().find(tag, Motor, "wb_servo_set_force")
    if motor is not None:
        motor.set_force(force)


def wb_servo_set_control_p(tag: int, p: float) -> None:
    """See `wb_motor_set_control_pid`; the other gains become 0."""
    motor = current().find(tag, Motor, "wb_servo_set_control_p")
    if motor is not None:
        motor.set_control_pid(p, 0.0, 0.0)


def wb_servo_get_min_position(tag: int) -> float:
    """See `wb_motor_get_min_position`."""
    motor = current().find(tag, Motor, "wb_servo_get_min_position")
    return motor.get_min_position() if motor is not None else NAN


def wb_servo_get_max_position(tag: int) -> float:
    """See `wb_motor_get_max_position`."""
    motor = current().find(tag, Motor, "wb_servo_get_max_position")
    return motor.get_max_position() if motor is not None else NAN


def wb_servo_get_target_position(tag: int) -> float:
    """See `wb_motor_get_target_position`."""
    motor = current().find(tag, Motor, "wb_servo_get_target_position")
    return motor.get_target_position() if motor is not None else NAN


def wb_servo_get_type(tag: int) -> int:
    """See `wb_motor_get_type`."""
    motor = current().find(tag, Motor, "wb_servo_get_type")
    return motor.get_type() if motor is not None else 0


def wb_servo_enable_motor_force_feedback(tag: int, ms: int) -> None:
    """See `wb_motor_enable_force_feedback`."""
    motor = current().find(tag, Motor, "wb_servo_enable_motor_force_feedback")
    if motor is not None:
        motor.enable_force_feedback(ms)


def wb_servo_disable_motor_force_feedback(tag: int) -> None:
    """See `wb_motor_disable_force_feedback`."""
    wb_servo_enable_motor_force_feedback(tag, 0)


def wb_servo_get_motor_force_feedback(tag: int) -> float:
    """See `wb_motor_get_force_feedback`."""
    motor = current().find(tag, Motor, "wb_servo_get_motor_force_feedback")
    return motor.get_force_feedback() if motor is not None else NAN


def wb_servo_get_motor_force_feedback_sampling_period(tag: int) -> int:
    """See `wb_motor_get_force_feedback_sampling_period`."""
    motor = current().find(tag, Motor, "wb_servo_get_motor_force_feedback_sampling_period")
    return motor.get_force_feedback_sampling_period() if motor is not None else 0


def wb_servo_enable_position(tag: int, ms: int) -> None:
    """See `wb_position_sensor_enable`; the first call queries the simulator for the joint's sensor."""
    sensor = _sensor(tag, "wb_servo_enable_position")
    if sensor is not None:
        sensor.enable(ms)


def wb_servo_disable_position(tag: int) -> None:
    """See `wb_position_sensor_disable`."""
    wb_servo_enable_position(tag, 0)


def wb_servo_get_position_sampling_period(tag: int) -> int:
    """See `wb_position_sensor_get_sampling_period`."""
    sensor = _sensor(tag, "wb_servo_get_position_sampling_period")
    return sensor.get_sampling_period() if sensor is not None else 0


def wb_servo_get_position(tag: int) -> float:
    """See `wb_position_sensor_get_value`."""
    sensor = _sensor(tag, "wb_servo_get_position")
    return sensor.get_value() if sensor is not None else NAN
