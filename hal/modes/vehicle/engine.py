"""The engine of a car: its speed follows from the wheels and the gear, its torque from its speed.

Combustion: c0 + c1 * rpm + c2 * rpm^2. Electric: power / angular speed, up to the maximum torque. A parallel
hybrid adds both. In a power-split hybrid the combustion engine runs at a constant speed and contributes the
share that does not drive the generator. Combustion engines of hybrids are off below their minimum speed.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import pi

from wbridge.hal.modes.vehicle.parameters import Parameters
from wbridge.hal.modes.vehicle.steering import quotient

__all__ = [
    "COMBUSTION",
    "ELECTRIC",
    "PARALLEL",
    "SPLIT",
    "limit_torque",
    "engine_rpm",
    "engine_torque",
    "gear_ratio",
]

COMBUSTION, ELECTRIC, PARALLEL, SPLIT = range(4)
MOST_ACCELERATION = 50.0
"""Wheel acceleration, in rad/s^2, above which the torque is reduced, so that a lifted wheel does not race."""


def gear_ratio(car: Parameters, gear: int) -> float:
    """The engine speed relative to the wheel speed; 0 in neutral.

    Args:
        car: parameters of the car.
        gear: -1 reverse, 0 neutral, 1 or more forward.
    """
    return car.gear_ratios[max(gear, 0)] if gear else 0.0


def engine_rpm(car: Parameters, gear: int, speeds: Sequence[float]) -> float:
    """The engine speed, from 0 to its maximum, in 1/min; 0 in neutral and before the first measurement.

    Args:
        car: parameters of the car.
        gear: the engaged gear.
        speeds: speeds of the four wheels, in rad/s.
    """
    average = (speeds[0] + speeds[1] + speeds[2] + speeds[3]) / 4 * (60 / (2 * pi))
    found = abs(average * gear_ratio(car, gear))
    return min(found, car.max_rpm) if found == found else 0.0


def engine_torque(car: Parameters, rpm: float) -> float:
    """The maximum torque of the engine at a speed, in N m.

    Args:
        car: parameters of the car.
        rpm: engine speed in 1/min, at least 0.
    """
    if rpm == car.max_rpm:
        return 0.0
    torque = 0.0
    if car.engine == COMBUSTION or (car.engine == PARALLEL and rpm >= car.min_rpm):
        torque += _combustion(car, max(rpm, car.min_rpm))
    if car.engine == SPLIT and rpm >= car.min_rpm:
        torque += (1 - car.split_ratio) * _combustion(car, car.split_rpm)
    if car.engine != COMBUSTION:
        torque += min(car.max_torque, quotient(car.max_power * 60, 2 * pi * rpm))
    return torque


def _combustion(car: Parameters, rpm: float) -> float:
    constant, linear, quadratic = car.coefficients
    return constant + rpm * linear + rpm * rpm * quadratic


def limit_torque(torque: float, acceleration: float) -> float:
    """Reduce the torque if wheels accelerate too fast.

    Args:
        torque: in N m.
        acceleration: maximum acceleration of the wheels, in rad/s^2.
    """
    fast = abs(acceleration)
    return torque * (MOST_ACCELERATION / fast) if fast > MOST_ACCELERATION else torque
