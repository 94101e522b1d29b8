"""Initialization and cleanup of the vehicle library."""

from __future__ import annotations

from wbridge.hal.client import session, vehicle


def wbu_car_init() -> None:
    """Connect to the simulator and create the car; call this before the other functions `wbu_car_...`.

    Raises:
        VehicleError: the robot is not a car.
    """
    vehicle.begin_car()


def wbu_car_cleanup() -> None:
    """Disconnect from the simulation; must be the last call."""
    session.cleanup()


def wbu_driver_initialization_is_possible() -> bool:
    """True if the robot is a car, so that `wbu_driver_init` succeeds. Connects to the simulator."""
    return vehicle.is_car()


def wbu_driver_init() -> None:
    """Connect to the simulator and create the car's driver; call this before the other `wbu_driver_...`.

    Raises:
        VehicleError: the robot is not a car.
    """
    vehicle.begin_driver()


def wbu_driver_cleanup() -> None:
    """Disconnect from the simulation; must be the last call."""
    session.cleanup()
