"""The current robot's car and its driver, by the client that its controller uses."""

from __future__ import annotations

from wbridge.hal.client import session

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING:
    from wbridge.hal.modes.vehicle.car import Car
    from wbridge.hal.modes.vehicle.driver import Driver

__all__ = ["begin_car", "begin_driver", "car", "driver", "is_car"]


def begin_car() -> Car:
    """Connect to the simulator, unless connected, and create the car.

    Raises:
        VehicleError: the robot is not a car.
    """
    result: Car = session.init().vehicle.begin_car()
    return result


def begin_driver() -> Driver:
    """Connect to the simulator, unless connected, and create the car and its driver.

    Raises:
        VehicleError: the robot is not a car.
    """
    result: Driver = session.init().vehicle.begin_driver()
    return result


def is_car() -> bool:
    """True if the robot has the parameters of a car. Connects to the simulator, unless connected."""
    result: bool = session.init().vehicle.is_car()
    return result


def car() -> Car:
    """The car of the current robot.

    Raises:
        NoRobot: `begin_car` was not called yet.
    """
    result: Car = session.current().vehicle.car()
    return result


def driver() -> Driver:
    """The driver of the current robot.

    Raises:
        NoRobot: `begin_driver` was not called yet.
    """
    result: Driver = session.current().vehicle.driver()
    return result
