"""The current robot's car and its driver, each created once per robot."""

from __future__ import annotations

from wbridge.hal.client.errors import VehicleError
from wbridge.hal.modes import session
from wbridge.hal.modes.vehicle.car import Car
from wbridge.hal.modes.vehicle.driver import Driver
from wbridge.hal.modes.vehicle.parameters import Parameters
from wbridge.hal.reports import messages

__all__ = ["begin_car", "begin_driver", "car", "driver", "is_car"]


def begin_car() -> Car:
    """Connect to the simulator, unless connected, and create the car.

    Raises:
        VehicleError: the robot is not a car.
    """
    robot = session.init()
    found: Car | None = robot.attached.get(Car)
    if found is None:
        found = robot.attached[Car] = Car(robot)
    return found


def begin_driver() -> Driver:
    """Connect to the simulator, unless connected, and create the car and its driver.

    Raises:
        VehicleError: the robot is not a car.
    """
    robot = session.init()
    found: Driver | None = robot.attached.get(Driver)
    if found is None:
        found = robot.attached[Driver] = Driver(robot, begin_car())
    return found


def is_car() -> bool:
    """True if the robot has the parameters of a car. Connects to the simulator, unless connected."""
    try:
        Parameters.parse(session.init().custom_data)
    except VehicleError:
        return False
    return True


def car() -> Car:
    """The car of the current robot.

    Raises:
        NoRobot: `begin_car` was not called yet.
    """
    found: Car | None = session.current().attached.get(Car)
    if found is None:
        raise session.NoRobot(messages.no_car_yet())
    return found


def driver() -> Driver:
    """The driver of the current robot.

    Raises:
        NoRobot: `begin_driver` was not called yet.
    """
    found: Driver | None = session.current().attached.get(Driver)
    if found is None:
        raise session.NoRobot(messages.no_driver_yet())
    return found
