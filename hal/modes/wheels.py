"""The functions of DifferentialWheels, a node of Webots 8, implemented with motors and position sensors.

Speeds are in units of the field `speedUnit`, encoder values in increments: rad * `encoderResolution`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from wbridge.hal.modes.device import NAN
from wbridge.hal.modes.devices.motor import Motor
from wbridge.hal.modes.devices.position_sensor import PositionSensor
from wbridge.hal.protocol.wheels import LEFT, RIGHT, encoder_resolution, motor_name, sensor_name
from wbridge.hal.reports import messages, report

if TYPE_CHECKING:
    from wbridge.hal.modes.device_registry import DeviceRegistry

__all__ = ["DifferentialWheels", "wheels_of"]

PREFIX = "wb_differential_wheels_"
INFINITY = float("inf")


class WheeledRobot(Protocol):
    """The part of the robot that its wheels use."""

    devices: DeviceRegistry
    attached: dict[type, Any]


def wheels_of(robot: WheeledRobot, function: str) -> DifferentialWheels | None:
    """The wheels of a robot; None, after an error that names the function, for other robot types."""
    found: DifferentialWheels | None = robot.attached.get(DifferentialWheels)
    if found is None:
        parts = _parts(robot)
        if parts is None:
            report.error(PREFIX + function, messages.no_wheels())
            return None
        found = robot.attached[DifferentialWheels] = DifferentialWheels(*parts)
    return found


def _parts(robot: WheeledRobot) -> tuple[list[Motor], list[PositionSensor]] | None:
    names = {one.name: one for one in reversed(robot.devices.known())}
    motors = [one for side in (LEFT, RIGHT) if isinstance(one := names.get(motor_name(side)), Motor)]
    sensors = [
        one for side in (LEFT, RIGHT) if isinstance(one := names.get(sensor_name(side)), PositionSensor)
    ]
    return (motors, sensors) if len(motors) == len(sensors) == 2 else None


class DifferentialWheels:
    """Two wheels; methods are named after the C functions without their prefix."""

    def __init__(self, motors: list[Motor], sensors: list[PositionSensor]) -> None:
        self._motors, self._sensors = motors, sensors
        self._speeds = (0.0, 0.0)
        self._offsets = [0.0, 0.0]

    def set_speed(self, left: float, right: float) -> None:
        """Set the speeds of the wheels, effective from the next step.

        Args:
            left: speed of the left wheel, in units of `speedUnit` (rad/s); positive is forward.
            right: speed of the right wheel.
        """
        if left != left or right != right:
            report.error(f"{PREFIX}set_speed", messages.speed_not_a_number(left, right))
            return
        self._speeds = (float(left), float(right))
        limit = self.get_max_speed()
        if max(abs(left), abs(right)) * self.get_speed_unit() > limit:
            report.warning(
                f"{PREFIX}set_speed",
                messages.speed_above_limit(limit),
            )
        for motor, speed in zip(self._motors, self._speeds, strict=True):
            if motor.get_target_position() != INFINITY:
                motor.set_position(INFINITY)
            motor.set_velocity(speed)

    def get_left_speed(self) -> float:
        """The last speed set for the left wheel; initially 0."""
        return self._speeds[0]

    def get_right_speed(self) -> float:
        """The last speed set for the right wheel; initially 0."""
        return self._speeds[1]

    def enable_encoders(self, ms: int) -> None:
        """Enable the wheel encoders.

        Args:
            ms: sampling period, in ms; 0 disables the encoders.
        """
        if ms > 0 and not encoder_resolution(self._sensors[0].model):
            report.warning(
                f"{PREFIX}enable_encoders",
                messages.encoders_not_simulated(),
            )
        for sensor in self._sensors:
            sensor.enable(ms)

    def disable_encoders(self) -> None:
        """Disable the wheel encoders."""
        self.enable_encoders(0)

    def get_encoders_sampling_period(self) -> int:
        """The sampling period of the encoders in ms, or 0 if they are disabled."""
        return self._sensors[0].get_sampling_period()

    def get_left_encoder(self) -> float:
        """The value of the left encoder, in increments; 0 without encoders, NaN before the first sample."""
        return self._encoder(0)

    def get_right_encoder(self) -> float:
        """The value of the right encoder, in increments; 0 without encoders, NaN before the first sample."""
        return self._encoder(1)

    def _encoder(self, side: int) -> float:
        sensor = self._sensors[side]
        if not sensor.get_sampling_period():
            sensor.check_enabled("get_value")
            return NAN
        resolution = encoder_resolution(sensor.model)
        return sensor.value * resolution + self._offsets[side] if resolution else self._offsets[side]

    def set_encoders(self, left: float, right: float) -> None:
        """Set the encoder values without moving the wheels.

        Args:
            left: value of the left encoder, in increments.
            right: value of the right encoder, in increments.
        """
        for side, value in enumerate((left, right)):
            sensor = self._sensors[side]
            now = 0.0 if sensor.value != sensor.value else sensor.value
            self._offsets[side] = float(value) - now * encoder_resolution(sensor.model)

    def get_max_speed(self) -> float:
        """The field `maxSpeed`, in rad/s."""
        return self._motors[0].get_max_velocity()

    def get_speed_unit(self) -> float:
        """The field `speedUnit`: the speed, in rad/s, of one unit."""
        return self._motors[0].get_multiplier()
