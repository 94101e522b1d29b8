"""Sensors whose values depend on their pose: mount, cached fields, constants sent again after a change."""

from __future__ import annotations

from wbridge.hal import table
from wbridge.wbcore.devices.device import DeviceRobot
from wbridge.wbcore.devices.sensor import Sensor
from wbridge.wbcore.physics.mount import Mount
from wbridge.wbcore.scene.tables.rules import Place

__all__ = ["MountedSensor"]


class MountedSensor(Sensor):
    """A sensor on a solid. Subclasses override `prepare` and `measure`, which calls `mount.follow()`."""

    def __init__(self, place: Place, entry: table.DeviceEntry, robot: DeviceRobot) -> None:
        super().__init__(place, entry, robot)
        self.mount = Mount(self.simulation.physics, lambda: self.node)
        self.prepare()

    def prepare(self) -> None:
        """Read the node's fields; called again after each change of one."""

    def renewed(self) -> None:
        """Read the fields of the new node."""
        self.field_changed("")

    def field_changed(self, name: str) -> None:
        """A supervisor changed a field: use it, and send the constants to the controller."""
        self.update_entry()
        self.prepare()
        self.robot.forget_routine()
        self.send_constants()
