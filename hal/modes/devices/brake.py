"""A brake, which adds damping to a joint."""

from __future__ import annotations

from wbridge.hal.modes.devices.joint_device import JointDevice
from wbridge.hal.reports import messages

__all__ = ["Brake"]

DAMPING, SIBLING = 2, 4


class Brake(JointDevice):
    """A brake, which adds damping to a joint."""

    ask_sibling = SIBLING
    state = (DAMPING,)

    def take_constants(self, type_: int) -> None:
        """Store the type of the joint."""
        self.type = type_

    def flush(self, out: bytearray) -> None:
        """Append the pending commands: one byte of flags, then their values."""
        pending, self.pending = self.pending, {}
        values = pending.get(DAMPING, ()) + pending.get(SIBLING, ())
        self.codec.write_command(out, sum(pending), values)

    def set_damping_constant(self, damping_constant: float) -> None:
        """Set the damping constant of the brake.

        Args:
            damping_constant: added to the damping of the joint, in N s/m or N m s/rad; at least 0.
        """
        if self.is_nan("set_damping_constant", "damping_constant", damping_constant):
            return
        if damping_constant < 0:
            self.error("set_damping_constant", messages.negative_damping())
            return
        self.command(DAMPING, float(damping_constant))

    def get_motor(self) -> int:
        """The tag of the motor on the same joint, or 0. Queries the simulator."""
        return self.find_sibling("get_motor", "RotationalMotor")

    def get_position_sensor(self) -> int:
        """The tag of the position sensor on the same joint, or 0. Queries the simulator."""
        return self.find_sibling("get_position_sensor", "PositionSensor")
