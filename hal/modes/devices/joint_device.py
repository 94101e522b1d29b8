"""Base class of the devices of a joint."""

from __future__ import annotations

from wbridge.hal.modes.device import DeviceHandle

__all__ = ["JointDevice"]


class JointDevice(DeviceHandle):
    """A motor, position sensor or brake."""

    type = 0
    sibling = 0
    ask_sibling = 0
    """Code of the command that requests the tag of a device on the same joint."""

    def take_sibling(self, tag: int) -> None:
        """Store the tag of the requested device."""
        self.sibling = tag

    def find_sibling(self, method: str, node_type: str) -> int:
        """The tag of the device with a node type on the same joint, or 0."""
        self.sibling = 0
        self.ask(method, self.ask_sibling, self.exchange.dialect.numbers[node_type])
        return self.sibling

    def get_type(self) -> int:
        """The type of the joint: 0 rotational, 1 linear."""
        return self.type
