"""Where the wheels of a car point and how fast each turns in a curve: all roll about one center.

The center lies on the line of the rear axle, at wheelbase / tan(steering angle) beside the car's middle
(Jazar, Vehicle Dynamics, chapter Steering Dynamics). Angles are in rad, positive to the right.
"""

from __future__ import annotations

from math import atan, copysign, inf, nan, sin, tan

__all__ = ["center_ratio", "front_ratio", "quotient", "rear_ratio", "wheel_angles"]

EVEN = 0.5


def quotient(a: float, b: float) -> float:
    """a / b as floating-point units divide: infinite, or NaN for 0 / 0, where Python refuses."""
    if b:
        return a / b
    return nan if not a or a != a or b != b else copysign(inf, a) * copysign(1.0, b)


def wheel_angles(steering: float, wheelbase: float, track: float) -> tuple[float, float]:
    """The angles of the right and the left front wheel.

    Args:
        steering: angle of a wheel in the middle of the front axle.
        wheelbase: in m.
        track: distance of the front wheels, in m.
    """
    cotangent, half = quotient(1, tan(steering)), quotient(track, 2 * wheelbase)
    return atan(quotient(1, cotangent - half)), atan(quotient(1, cotangent + half))


def front_ratio(steering: float, right: float, left: float, wheelbase: float) -> float:
    """Path of the right front wheel, as a share of those of both front wheels; 0.5 straight on.

    Args:
        steering: angle of the car.
        right: angle of the right wheel.
        left: angle of the left wheel.
        wheelbase: in m.
    """
    return _share(steering, quotient(wheelbase, sin(right)), quotient(wheelbase, sin(left)))


def rear_ratio(steering: float, wheelbase: float, track: float) -> float:
    """Path of the right rear wheel, as a share of those of both rear wheels; 0.5 straight on.

    Args:
        steering: angle of the car.
        wheelbase: in m.
        track: distance of the rear wheels, in m.
    """
    radius = quotient(wheelbase, tan(steering))
    return _share(steering, radius - track / 2, radius + track / 2)


def center_ratio(steering: float, wheelbase: float, radii: float) -> float:
    """Turns of the front wheels, as a share of those of front and rear wheels; 0.5 straight on.

    Args:
        steering: angle of the car.
        wheelbase: in m.
        radii: radius of the rear wheels, divided by that of the front wheels.
    """
    if steering == 0:
        return EVEN
    front, rear = quotient(wheelbase, sin(steering)), quotient(wheelbase, tan(steering))
    return quotient(radii * front, front + rear)


def _share(steering: float, right: float, left: float) -> float:
    share = quotient(right, left + right)
    return EVEN if steering == 0 or share != share else share
