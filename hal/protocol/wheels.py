"""The wheels of DifferentialWheels, a node of Webots 8, in a protocol without this node.

They are motors and position sensors with fixed names. The multiplier of the motors is the speed unit. The
sensors measure radians, and their field `model` contains the resolution of the encoders.
"""

from __future__ import annotations

__all__ = ["LEFT", "RIGHT", "encoder_model", "motor_name", "sensor_name"]

LEFT, RIGHT = "left wheel", "right wheel"
_UNIT = " increments/rad"


def motor_name(wheel: str) -> str:
    """The name of a wheel's motor."""
    return f"{wheel} motor"


def sensor_name(wheel: str) -> str:
    """The name of a wheel's position sensor."""
    return f"{wheel} sensor"


def encoder_model(resolution: float) -> str:
    """Encode the resolution (increments per rad) as a `model`."""
    return f"{resolution!r}{_UNIT}"
