"""How the wheels of DifferentialWheels, a node of Webots 8, travel in a protocol that does not know it.

They are motors and position sensors with these names. The motors have the speed unit as multiplier; the
sensors give radians and tell the resolution of the encoders in their field `model`.
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
    """The text that tells the resolution (increments per rad)."""
    return f"{resolution!r}{_UNIT}"


def encoder_resolution(model: str) -> float:
    """Increments per rad; 0 when there are no encoders."""
    try:
        found = float(model.removesuffix(_UNIT)) if model.endswith(_UNIT) else 0.0
    except ValueError:
        return 0.0
    return found if math.isfinite(found) and found > 0 else 0.0
