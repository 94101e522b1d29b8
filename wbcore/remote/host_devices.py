"""Devices of a robot that is not simulated: only what their controller needs to know."""

from __future__ import annotations

from wbridge.hal import table
from wbridge.hal.protocol.table_constants import SIBLINGS, unsimulated_constants
from wbridge.wbcore.devices.device import Device
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbcore.scene.tables.rules import Place


class HostDevice(Device):
    """Provides the constants of the device table; commands have no effect."""

    def __init__(self, place: Place, entry: table.DeviceEntry, robot: Robot) -> None:
        super().__init__(place, entry, robot)
        self.works = False

    def constants(self) -> dict[str, object]:
        """Constants of the controller protocol that the table does not have."""
        return unsimulated_constants(self.entry.type, self.entry.constants)

    def on_get_sibling(self, node_type: int) -> None:
        """Send the tag of the device of a type on the same joint, or 0."""
        constant = SIBLINGS.get(self.robot.dialect.node(node_type), "")
        self.send("sibling", self.entry.constants.get(constant, 0))
