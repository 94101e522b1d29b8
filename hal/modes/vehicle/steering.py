"""Ackermann steering: angles and speed ratios of a car's wheels, which all roll about one center.

The center lies on the line of the rear axle, at a distance of wheelbase / tan(steering angle) from the middle
of the car (Jazar, Vehicle Dynamics, chapter Steering Dynamics). Angles are in rad, positive to the right.
"""

from __future__ import annotations

from math import atan, copysign, inf, nan, sin, tan

__all__ = ["center_ratio", "front_ratio", "quotient", "rear_ratio", "wheel_angles"]

EVEN = 0.5


def quotient(a: float, b: float) -> float:
    """a / b as in IEEE 754: infinite, or NaN for 0 / 0, where Python raises an error."""
    if b:
        return a / b
    return nan if not a or a != a or b != b else copysign(inf, a) * copysign(1.0, b)


def wheel_angles(steering: float, wheelbase: float, track: float) -> tuple[float, float]:
    """The angles of the right and the left front wheel.

    Args:
        steering: angle of a virtual wheel in the middle of the front axle.
        wheelbase: in m.
        track: distance between the front wheels, in m.
    """
    cotangent, half = quotient(1, tan(steering)), quotient(track, 2 * wheelbase)
    return atan(quotient(1, cotangent - half)), atan(quotient(1, cotangent + half))


def front_ratio(steering: float, right: float, left: float, wheelbase: float) -> float:
    """The path of the right front wheel relative to the sum of both front wheels; 0.5 straight ahead.

    Args:
        steering: steering angle of the car.
        right: angle of the right wheel.
        left: angle of the left wheel.
        wheelbase: in m.
    """
    return _share(steering, quotient(wheelbase, sin(right)), quotient(wheelbase, sin(left)))


def rear_ratio(steering: float, wheelbase: float, track: float) -> float:
    """The path of the right rear wheel relative to the sum of both rear wheels; 0.5 straight ahead.

    Args:
        steering: steering angle of the car.
        wheelbase: in m.
        track: distance between the rear wheels, in m.
    """
    radius = quotient(wheelbase, tan(steering))
    return _share(steering, radius - track / 2, radius + track / 2)


def center_ratio(steering: float, wheelbase: float, radii: float) -> float:
    """The rotation of the front wheels relative to the sum of front and rear wheels; 0.5 straight ahead.

    Args:
        steering: steering angle of the car.
        wheelbase: in m.
        radii: radius of the rear wheels divided by that of the front wheels.
    """
    if steering == 0:
        return EVEN
    front, rear = quotient(wheelbase, sin(steering)), quotient(wheelbase, tan(steering))
    return quotient(radii * front, front + rear)


def _share(steering: float, right: float, left: float) -> float:
    share = quotient(right, left + right)
    return EVEN if steering == 0 or share != share else share
