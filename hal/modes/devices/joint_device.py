"""What the devices of a joint share: they find one another, and know the type of the joint."""

from __future__ import annotations

from hal.modes.device import Device

__all__ = ["JointDevice"]


class JointDevice(Device):
    """A motor, position sensor or brake."""

    type = 0
    sibling = 0
    ask_sibling = 0
    """The command that asks for a device of the same joint."""

    def take_sibling(self, tag: int) -> None:
        """The device that was asked for."""
        self.sibling = tag

    def find_sibling(self, method: str, node_type: str) -> int:
        """The tag of the device of this type on the same joint; 0 when there is none."""
        self.sibling = 0
        self.ask(method, self.ask_sibling, self.exchange.dialect.numbers[node_type])
        return self.sibling

    def get_type(self) -> int:
        """The type of the joint: 0 rotational, 1 linear."""
        return self.type
