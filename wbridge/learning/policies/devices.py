"""How controllers read the sensors of a policy and drive its motors, by the type of the device.

One table for the controllers in Python and in C, by the names of Webots' API.
"""

from __future__ import annotations

from typing import NamedTuple


class Reader(NamedTuple):
    """How a type of sensor is read."""

    prefix: str
    """Of its functions in C, and the name of its header."""
    function: str
    """In C, after the prefix."""
    method: str
    """In Python."""
    is_vector: bool
    """True if it returns several numbers."""


READERS = {
    "Accelerometer": Reader("accelerometer", "get_values", "getValues", True),
    "Altimeter": Reader("altimeter", "get_value", "getValue", False),
    "Compass": Reader("compass", "get_values", "getValues", True),
    "DistanceSensor": Reader("distance_sensor", "get_value", "getValue", False),
    "Gyro": Reader("gyro", "get_values", "getValues", True),
    "InertialUnit": Reader("inertial_unit", "get_quaternion", "getQuaternion", True),
    "LightSensor": Reader("light_sensor", "get_value", "getValue", False),
    "PositionSensor": Reader("position_sensor", "get_value", "getValue", False),
    "TouchSensor": Reader("touch_sensor", "get_value", "getValue", False),
}
"""Sensors of which a policy can run as a controller."""
