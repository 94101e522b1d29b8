"""Beginning and end of the vehicle library."""

from __future__ import annotations

from hal.modes import session
from hal.modes.vehicle import current

__all__ = [
    "wbu_car_cleanup",
    "wbu_car_init",
    "wbu_driver_cleanup",
    "wbu_driver_init",
    "wbu_driver_initialization_is_possible",
]


def wbu_car_init() -> None:
    """Connect to the simulator and find the car; must be called before the other functions `wbu_car_...`.

    Raises:
        VehicleError: the robot is no car.
    """
    current.begin_car()


def wbu_car_cleanup() -> None:
    """Leave the simulation; must be the last call."""
    session.cleanup()


def wbu_driver_initialization_is_possible() -> bool:
    """True when the robot is a car: `wbu_driver_init` finds its figures. Connects to the simulator."""
    return current.is_car()


def wbu_driver_init() -> None:
    """Connect to the simulator and find the car; must be called before the other functions `wbu_driver_...`.

    Raises:
        VehicleError: the robot is no car.
    """
    current.begin_driver()


def wbu_driver_cleanup() -> None:
    """Leave the simulation; must be the last call."""
    session.cleanup()
