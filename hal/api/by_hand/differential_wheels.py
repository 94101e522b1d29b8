"""Functions of DifferentialWheels, a node of Webots 8, implemented with motors and position sensors."""

from __future__ import annotations

from wbridge.hal.client.session import current


def wb_differential_wheels_set_speed(left: float, right: float) -> None:
    """Set the speeds of the wheels, in units of `speedUnit` (rad/s); positive is forward."""
    current().wheels.set_speed(left, right)


def wb_differential_wheels_enable_encoders(ms: int) -> None:
    """Enable the wheel encoders with a sampling period in ms; 0 disables them."""
    current().wheels.enable_encoders(ms)


def wb_differential_wheels_disable_encoders() -> None:
    """Disable the wheel encoders."""
    current().wheels.disable_encoders()


def wb_differential_wheels_set_encoders(left: float, right: float) -> None:
    """Set the encoder values, in increments, without moving the wheels."""
    current().wheels.set_encoders(left, right)


def wb_differential_wheels_get_encoders_sampling_period(tag: int = 0) -> int:
    """The sampling period of the encoders in ms, or 0 if they are disabled. The tag is ignored."""
    return current().wheels.get_encoders_sampling_period()


def wb_differential_wheels_get_left_encoder() -> float:
    """The left encoder, in increments (rad * `encoderResolution`); NaN before the first sample."""
    return current().wheels.get_left_encoder()


def wb_differential_wheels_get_right_encoder() -> float:
    """The right encoder, in increments (rad * `encoderResolution`); NaN before the first sample."""
    return current().wheels.get_right_encoder()


def wb_differential_wheels_get_left_speed() -> float:
    """The last speed set for the left wheel, in units of `speedUnit`."""
    return current().wheels.get_left_speed()


def wb_differential_wheels_get_right_speed() -> float:
    """The last speed set for the right wheel, in units of `speedUnit`."""
    return current().wheels.get_right_speed()


def wb_differential_wheels_get_max_speed() -> float:
    """The field `maxSpeed`, in rad/s."""
    return current().wheels.get_max_speed()


def wb_differential_wheels_get_speed_unit() -> float:
    """The field `speedUnit`, in rad/s."""
    return current().wheels.get_speed_unit()
