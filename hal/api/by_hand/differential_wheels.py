"""Functions of the node DifferentialWheels of Webots 8, on top of motors and position sensors."""

from __future__ import annotations

from hal.modes.device import NAN
from hal.modes.session import current
from hal.modes.wheels import wheels_of

__all__ = [
    "wb_differential_wheels_disable_encoders",
    "wb_differential_wheels_enable_encoders",
    "wb_differential_wheels_get_encoders_sampling_period",
    "wb_differential_wheels_get_left_encoder",
    "wb_differential_wheels_get_left_speed",
    "wb_differential_wheels_get_max_speed",
    "wb_differential_wheels_get_right_encoder",
    "wb_differential_wheels_get_right_speed",
    "wb_differential_wheels_get_speed_unit",
    "wb_differential_wheels_set_encoders",
    "wb_differential_wheels_set_speed",
]


def wb_differential_wheels_set_speed(left: float, right: float) -> None:
    """Turn the wheels: speeds in units of `speedUnit` (rad/s), positive drives forward."""
    wheels = wheels_of(current(), "set_speed")
    if wheels is not None:
        wheels.set_speed(left, right)


def wb_differential_wheels_enable_encoders(ms: int) -> None:
    """Start counting the turns of the wheels, each `ms` ms; 0 stops it."""
    wheels = wheels_of(current(), "enable_encoders")
    if wheels is not None:
        wheels.enable_encoders(ms)


def wb_differential_wheels_disable_encoders() -> None:
    """Stop counting the turns of the wheels."""
    wheels = wheels_of(current(), "disable_encoders")
    if wheels is not None:
        wheels.disable_encoders()


def wb_differential_wheels_set_encoders(left: float, right: float) -> None:
    """Let the encoders go on from these values (increments)."""
    wheels = wheels_of(current(), "set_encoders")
    if wheels is not None:
        wheels.set_encoders(left, right)


def wb_differential_wheels_get_encoders_sampling_period(tag: int = 0) -> int:
    """The sampling period of the encoders in ms; 0 when they are off. The manual prints a tag, which has no
    meaning."""
    wheels = wheels_of(current(), "get_encoders_sampling_period")
    return wheels.get_encoders_sampling_period() if wheels is not None else 0


def wb_differential_wheels_get_left_encoder() -> float:
    """Increments of the left wheel (rad * `encoderResolution`); NaN before the first sample."""
    wheels = wheels_of(current(), "get_left_encoder")
    return wheels.get_left_encoder() if wheels is not None else NAN


def wb_differential_wheels_get_right_encoder() -> float:
    """Increments of the right wheel (rad * `encoderResolution`); NaN before the first sample."""
    wheels = wheels_of(current(), "get_right_encoder")
    return wheels.get_right_encoder() if wheels is not None else NAN


def wb_differential_wheels_get_left_speed() -> float:
    """The speed of the left wheel that was set last, in units of `speedUnit`."""
    wheels = wheels_of(current(), "get_left_speed")
    return wheels.get_left_speed() if wheels is not None else NAN


def wb_differential_wheels_get_right_speed() -> float:
    """The speed of the right wheel that was set last, in units of `speedUnit`."""
    wheels = wheels_of(current(), "get_right_speed")
    return wheels.get_right_speed() if wheels is not None else NAN


def wb_differential_wheels_get_max_speed() -> float:
    """The field `maxSpeed`, in rad/s."""
    wheels = wheels_of(current(), "get_max_speed")
    return wheels.get_max_speed() if wheels is not None else NAN


def wb_differential_wheels_get_speed_unit() -> float:
    """The field `speedUnit`, in rad/s."""
    wheels = wheels_of(current(), "get_speed_unit")
    return wheels.get_speed_unit() if wheels is not None else NAN
