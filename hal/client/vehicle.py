"""The current robot's car and its driver."""

from __future__ import annotations

from wbridge.hal.client import _native, native, session
from wbridge.hal.client.errors import NoRobot, VehicleError
from wbridge.hal.reports import messages

__all__ = ["begin_car", "begin_driver", "car", "driver", "is_car"]


def begin_car() -> _native.Car:
    """Connect to the simulator, unless connected, and create the car.

    Raises:
        VehicleError: the robot is not a car.
    """
    robot = session.init()
    if _native.Car not in robot.attached:
        lines: list[str] = []
        native.collect(lines)
        try:
            robot.begin_car()
        except SystemExit:
            raise VehicleError(lines[-1].removeprefix("Error: ")) from None
        finally:
            native.collect(None)
        robot.attached[_native.Car] = _native.Car()
    result: _native.Car = robot.attached[_native.Car]
    return result


def begin_driver() -> _native.Driver:
    """Connect to the simulator, unless connected, and create the car and its driver.

    Raises:
        VehicleError: the robot is not a car.
    """
    begin_car()
    robot = session.current()
    if _native.Driver not in robot.attached:
        robot.begin_driver()
        robot.attached[_native.Driver] = _native.Driver()
    result: _native.Driver = robot.attached[_native.Driver]
    return result


def is_car() -> bool:
    """True if the robot has the parameters of a car. Connects to the simulator, unless connected."""
    robot = session.init()
    return robot.is_car()


def car() -> _native.Car:
    """The car of the current robot.

    Raises:
        NoRobot: `begin_car` was not called yet.
    """
    attached: _native.Car | None = session.current().attached.get(_native.Car)
    if attached is None:
        raise NoRobot(messages.no_car_yet())
    return attached


def driver() -> _native.Driver:
    """The driver of the current robot.

    Raises:
        NoRobot: `begin_driver` was not called yet.
    """
    attached: _native.Driver | None = session.current().attached.get(_native.Driver)
    if attached is None:
        raise NoRobot(messages.no_driver_yet())
    return attached
