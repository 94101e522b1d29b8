"""The car and its driver in the binding of the C library."""

from __future__ import annotations

from wbridge.hal.client import _native, native, session
from wbridge.hal.client.errors import NoRobot, VehicleError
from wbridge.hal.reports import messages

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING:
    from typing import Any

__all__ = ["begin_car", "begin_driver", "car", "driver", "is_car"]


def begin_car() -> Any:
    """Connect to the simulator, unless connected, and create the car.

    Raises:
        VehicleError: the robot is not a car.
    """
    robot: Any = session.init()
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
    return robot.attached[_native.Car]


def begin_driver() -> Any:
    """Connect to the simulator, unless connected, and create the car and its driver.

    Raises:
        VehicleError: the robot is not a car.
    """
    begin_car()
    robot: Any = session.current()
    if _native.Driver not in robot.attached:
        robot.begin_driver()
        robot.attached[_native.Driver] = _native.Driver()
    return robot.attached[_native.Driver]


def is_car() -> bool:
    """True if the robot has the parameters of a car. Connects to the simulator, unless connected."""
    robot: Any = session.init()
    return bool(robot.is_car())


def car() -> Any:
    """The car of the current robot.

    Raises:
        NoRobot: `begin_car` was not called yet.
    """
    attached = session.current().attached.get(_native.Car)
    if attached is None:
        raise NoRobot(messages.no_car_yet())
    return attached


def driver() -> Any:
    """The driver of the current robot.

    Raises:
        NoRobot: `begin_driver` was not called yet.
    """
    attached = session.current().attached.get(_native.Driver)
    if attached is None:
        raise NoRobot(messages.no_driver_yet())
    return attached
