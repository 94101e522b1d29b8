"""The engine of a car: its speed follows from the wheels and the gear, its torque from the speed.

Combustion: c0 + c1 * rpm + c2 * rpm^2. Electric: power / angular speed, at most its torque. A parallel
hybrid adds both; a power-split hybrid adds what its combustion engine, which turns at one speed, does not
give to the generator. Combustion engines of hybrids stand still below their least speed.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import pi

from hal.modes.vehicle.parameters import Parameters
from hal.modes.vehicle.steering import quotient

__all__ = ["COMBUSTION", "ELECTRIC", "PARALLEL", "SPLIT", "calm", "engine_rpm", "engine_torque", "gear_ratio"]

COMBUSTION, ELECTRIC, PARALLEL, SPLIT = range(4)
MOST_ACCELERATION = 50.0
"""Of wheels, in rad/s^2: above it the torque falls, so that a wheel in the air does not race."""


def gear_ratio(car: Parameters, gear: int) -> float:
    """Turns of the engine for a turn of the wheels; 0 in neutral.

    Args:
        car: its figures.
        gear: -1 reverse, 0 neutral, 1 or more forward.
    """
    return car.gear_ratios[max(gear, 0)] if gear else 0.0


def engine_rpm(car: Parameters, gear: int, speeds: Sequence[float]) -> float:
    """Turns of the engine in a minute, from 0 to the most; 0 in neutral and while no wheel was measured.

    Args:
        car: its figures.
        gear: that is engaged.
        speeds: of the four wheels, in rad/s.
    """
    average = (speeds[0] + speeds[1] + speeds[2] + speeds[3]) / 4 * (60 / (2 * pi))
    found = abs(average * gear_ratio(car, gear))
    return min(found, car.max_rpm) if found == found else 0.0


def engine_torque(car: Parameters, rpm: float) -> float:
    """What the engine can give, in N m.

    Args:
        car: its figures.
        rpm: turns of the engine in a minute, 0 or more.
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


def calm(torque: float, acceleration: float) -> float:
    """The torque, less when wheels accelerate too fast.

    Args:
        torque: in N m.
        acceleration: the greatest of the wheels, in rad/s^2.
    """
    fast = abs(acceleration)
    return torque * (MOST_ACCELERATION / fast) if fast > MOST_ACCELERATION else torque
