"""Hand-written methods of the devices of a joint: motors, brakes and position sensors."""

from __future__ import annotations

from wbridge.hal.client.session import current
from wbridge.hal.controller.by_hand.device import Device, Sensor
from wbridge.hal.controller.by_hand.device_objects import object_of

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING:
    from typing import Any

    from wbridge.hal.client._native import Brake as BrakeDevice
    from wbridge.hal.controller.brake import Brake
    from wbridge.hal.controller.motor import Motor
    from wbridge.hal.controller.position_sensor import PositionSensor


def sibling(tag: int) -> Any:
    """The object of a device on the same joint, or None for tag 0."""
    return None if tag == 0 else object_of(current(), tag)


class WithMotor(Device):
    """A device whose joint can have a motor."""

    @property
    def motor(self) -> Motor | None:
        """The motor on the same joint, or None."""
        return sibling(self._device.get_motor())  # type: ignore[no-any-return]

    def getMotor(self) -> Motor | None:
        """The motor on the same joint, or None."""
        return self.motor


class WithBrake(Device):
    """A device whose joint can have a brake."""

    @property
    def brake(self) -> Brake | None:
        """The brake on the same joint, or None."""
        return sibling(self._device.get_brake())  # type: ignore[no-any-return]

    def getBrake(self) -> Brake | None:
        """The brake on the same joint, or None."""
        return self.brake


class WithPositionSensor(Device):
    """A device whose joint can have a position sensor."""

    @property
    def position_sensor(self) -> PositionSensor | None:
        """The position sensor on the same joint, or None."""
        return sibling(self._device.get_position_sensor())  # type: ignore[no-any-return]

    def getPositionSensor(self) -> PositionSensor | None:
        """The position sensor on the same joint, or None."""
        return self.position_sensor


class MotorBase(WithBrake, WithPositionSensor):
    """Hand-written methods of Motor."""


class BrakeBase(WithMotor, WithPositionSensor):
    """Hand-written methods of Brake."""

    _device: BrakeDevice

    def _set_damping(self, c: float) -> None:
        self._device.set_damping_constant(c)

    dampingConstant = property(fset=_set_damping, doc="Write-only: see `setDampingConstant`.")


class PositionSensorBase(WithMotor, WithBrake, Sensor):
    """Hand-written methods of PositionSensor."""
