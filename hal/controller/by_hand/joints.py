"""What the devices of a joint do in their own way: motors, brakes and position sensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hal.controller.by_hand.device import Device, Sensor
from hal.controller.by_hand.device_objects import object_of
from hal.modes.session import current

if TYPE_CHECKING:
    from hal.controller.brake import Brake
    from hal.controller.motor import Motor
    from hal.controller.position_sensor import PositionSensor
    from hal.modes.devices.brake import Brake as BrakeDevice

__all__ = ["BrakeBase", "MotorBase", "PositionSensorBase"]


def sibling(tag: int) -> Any:
    """The object for a device of the same joint; None for tag 0."""
    return None if tag == 0 else object_of(current(), tag)


class WithMotor(Device):
    """A device on whose joint there may be a motor."""

    @property
    def motor(self) -> Motor | None:
        """The motor on the same joint; None when there is none."""
        return sibling(self._device.get_motor())  # type: ignore[no-any-return]

    def getMotor(self) -> Motor | None:
        """The motor on the same joint; None when there is none."""
        return self.motor


class WithBrake(Device):
    """A device on whose joint there may be a brake."""

    @property
    def brake(self) -> Brake | None:
        """The brake on the same joint; None when there is none."""
        return sibling(self._device.get_brake())  # type: ignore[no-any-return]

    def getBrake(self) -> Brake | None:
        """The brake on the same joint; None when there is none."""
        return self.brake


class WithPositionSensor(Device):
    """A device on whose joint there may be a position sensor."""

    @property
    def position_sensor(self) -> PositionSensor | None:
        """The position sensor on the same joint; None when there is none."""
        return sibling(self._device.get_position_sensor())  # type: ignore[no-any-return]

    def getPositionSensor(self) -> PositionSensor | None:
        """The position sensor on the same joint; None when there is none."""
        return self.position_sensor


class MotorBase(WithBrake, WithPositionSensor):
    """What a motor does in its own way."""


class BrakeBase(WithMotor, WithPositionSensor):
    """What a brake does in its own way."""

    _device: BrakeDevice

    def _set_damping(self, c: float) -> None:
        self._device.set_damping_constant(c)

    dampingConstant = property(fset=_set_damping, doc="Write-only: see `setDampingConstant`.")


class PositionSensorBase(WithMotor, WithBrake, Sensor):
    """What a position sensor does in its own way."""
