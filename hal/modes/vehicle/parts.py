"""The devices of a car, by the names that all car models use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from wbridge.hal.client.errors import VehicleError
from wbridge.hal.modes.devices.brake import Brake
from wbridge.hal.modes.devices.led import LED
from wbridge.hal.modes.devices.motor import Motor
from wbridge.hal.modes.devices.position_sensor import PositionSensor
from wbridge.hal.modes.vehicle.differential import FOUR_BY_FOUR, PROPULSION, TRACTION
from wbridge.hal.reports import messages, report

if TYPE_CHECKING:
    from wbridge.hal.modes.device import DeviceHandle
    from wbridge.hal.modes.device_registry import DeviceRegistry
    from wbridge.hal.protocol.configure import RobotInfo

__all__ = ["CarRobot", "Parts"]

Kind = TypeVar("Kind", bound="DeviceHandle")
SIDES = ("right", "left")
WHEELS = ("right_front", "left_front", "right_rear", "left_rear")
"""In the order of the API: front right, front left, rear right, rear left."""


class CarRobot(Protocol):
    """The part of the robot that its car uses."""

    devices: DeviceRegistry
    custom_data: str

    @property
    def info(self) -> RobotInfo:
        """The robot's configuration."""


class Parts:
    """The devices of a car."""

    def __init__(self, robot: CarRobot) -> None:
        """
        Raises:
            VehicleError: the robot lacks devices of a car; the message lists them.
        """
        self._devices = {one.name: one for one in robot.devices if one is not None}
        self._missing: list[str] = []
        self.steering = [self._need(Motor, f"{side}_steer") for side in SIDES]
        self.steering_sensors = [self._need(PositionSensor, f"{side}_steer_sensor") for side in SIDES]
        self.sensors = [self._need(PositionSensor, f"{wheel}_sensor") for wheel in WHEELS]
        self.brakes = [self._need(Brake, f"{wheel}_brake") for wheel in WHEELS]
        motors = [self.find(Motor, f"{wheel}_wheel") for wheel in WHEELS]
        self.motors = {index: one for index, one in enumerate(motors) if one is not None}
        front, rear = ({first, first + 1} <= self.motors.keys() for first in (0, 2))
        if not front and not rear:
            self._missing += [f"{WHEELS[index]}_wheel" for index in range(4) if index not in self.motors]
        if self._missing:
            raise VehicleError(self._complaint(robot))
        self.driven = FOUR_BY_FOUR if front and rear else TRACTION if front else PROPULSION

    def _complaint(self, robot: CarRobot) -> str:
        known = [*self._devices]
        named = [f'"{name}"{report.closest(name, known)}' for name in self._missing]
        return messages.lacking_devices(robot.info.name, ", ".join(named))

    def _need(self, kind: type[Kind], name: str) -> Kind:
        found = self.find(kind, name)
        if found is None:
            self._missing.append(name)
        return found  # type: ignore[return-value] # a missing device raises VehicleError

    def find(self, kind: type[Kind], name: str) -> Kind | None:
        """The device of a class with a name, or None."""
        found = self._devices.get(name)
        return found if isinstance(found, kind) else None

    def motor(self, name: str) -> Motor | None:
        """The motor with a name, or None."""
        return self.find(Motor, name)

    def light(self, name: str) -> list[LED]:
        """The LED with a name, as a list of at most one element."""
        found = self.find(LED, name)
        return [found] if found is not None else []
