"""Joints as ROS knows them: their states, and commands for several of them, by the names of the robot's URDF.

Topics are those of ros2_control's hardware interface by topics (topic_based_ros2_control): a controller
manager reads `joint_states`, and sends `joint_commands` of the same type.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from wbridge.ros.messages import JointState

if TYPE_CHECKING:
    from controller import Device, Motor, PositionSensor

STATE = "sensor_msgs/msg/JointState"


class Joints:
    """The joints of a robot that have sensors or motors."""

    def __init__(self, devices: Sequence[Device]) -> None:
        """
        Args:
            devices: of the robot.
        """
        self._sensors: dict[str, PositionSensor] = {}
        self._motors: dict[str, Motor] = {}
        for device in devices:
            kind = type(device).__name__
            if kind == "PositionSensor":
                position = cast("PositionSensor", device)
                self._sensors[(position.getMotor() or position).getName()] = position
            elif kind == "Motor":
                motor = cast("Motor", device)
                self._motors[motor.getName()] = motor
                sensor = motor.getPositionSensor()
                if sensor is not None:
                    self._motors.setdefault(sensor.getName(), motor)

    @property
    def has_sensors(self) -> bool:
        """True if there are states to publish."""
        return bool(self._sensors)

    @property
    def has_motors(self) -> bool:
        """True if there are joints to command."""
        return bool(self._motors)

    def fill(self, message: JointState) -> bool:
        """Fill a message with the positions of joints whose sensors are enabled; False if there are none."""
        read = {
            name: sensor.getValue() for name, sensor in self._sensors.items() if sensor.getSamplingPeriod()
        }
        message.name, message.position = list(read), [float(position) for position in read.values()]
        return bool(read)

    def obey(self, message: JointState) -> None:
        """Command the joints that a message names: by position (rad, m), with its velocity as the speed; by
        velocity alone (rad/s, m/s); or by effort alone (N m, N). NaN commands nothing."""
        for place, name in enumerate(message.name):
            motor = self._motors.get(name)
            if motor is None:
                continue
            position, velocity, effort = (
                _at(values, place) for values in (message.position, message.velocity, message.effort)
            )
            if not math.isnan(position):
                if abs(velocity) > 0:
                    motor.setVelocity(abs(velocity))
                motor.setPosition(position)
            elif not math.isnan(velocity):
                motor.setPosition(math.inf)
                motor.setVelocity(velocity)
            elif not math.isnan(effort):
                motor.setForce(effort)


def _at(values: Sequence[float], place: int) -> float:
    """Return a number of a message, whose lists may be empty; NaN without one."""
    return float(values[place]) if place < len(values) else math.nan
