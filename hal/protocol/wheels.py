"""The wheels of DifferentialWheels, a node of Webots 8, in a protocol without this node.

They are motors and position sensors with fixed names. The multiplier of the motors is the speed unit. The
sensors measure radians, and their field `model` contains the resolution of the encoders.
"""

from __future__ import annotations

import math

__all__ = ["LEFT", "RIGHT", "encoder_model", "encoder_resolution", "motor_name", "sensor_name"]

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


def encoder_resolution(model: str) -> float:
    """The resolution in increments per rad, or 0 without encoders."""
    try:
        found = float(model.removesuffix(_UNIT)) if model.endswith(_UNIT) else 0.0
    except ValueError:
        return 0.0
    return found if math.isfinite(found) and found > 0 else 0.0
