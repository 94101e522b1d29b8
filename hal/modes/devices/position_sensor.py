"""A position sensor, which measures the position of a joint."""

from __future__ import annotations

from wbridge.hal.modes.device import NumberSensor
from wbridge.hal.modes.devices.joint_device import JointDevice

__all__ = ["PositionSensor"]


class PositionSensor(JointDevice, NumberSensor):
    """A position sensor, which measures the position of a joint."""

    ask_sibling = 2

    def take_constants(self, type_: int) -> None:
        """Store the type of the joint."""
        self.type = type_

    def get_value(self) -> float:
        """The position of the joint, in rad or m; NaN before the first sample."""
        if self.sampling_period <= 0:
            self.check_enabled("get_value")
        return self.value

    def get_motor(self) -> int:
        """The tag of the motor on the same joint, or 0. Queries the simulator."""
        return self.find_sibling("get_motor", "RotationalMotor")

    def get_brake(self) -> int:
        """The tag of the brake on the same joint, or 0. Queries the simulator."""
        return self.find_sibling("get_brake", "Brake")
