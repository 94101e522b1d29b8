"""Devices of a robot that is not simulated: only what their controller needs to know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hal import table
from wbcore.devices.device import Device
from wbcore.devices.joint_device import SIBLINGS
from wbcore.robots.robot import Robot
from wbcore.tables.rules import Place

__all__ = ["HostDevice"]


class HostDevice(Device):
    """Provides the constants of the device table; commands have no effect."""

    def __init__(self, place: Place, entry: table.DeviceEntry, robot: Robot) -> None:
        super().__init__(place, entry, robot)
        self.works = False

    def constants(self) -> dict[str, Any]:
        """Constants of the controller protocol that the table does not have."""
        find = _CONSTANTS.get(self.entry.type)
        return {} if find is None else find(self.entry.constants)

    def on_get_sibling(self, node_type: int) -> None:
        """Send the tag of the device of a type on the same joint, or 0."""
        constant = SIBLINGS.get(self.robot.dialect.node(node_type), "")
        self.send("sibling", self.entry.constants.get(constant, 0))


def _motor(c: Mapping[str, Any]) -> dict[str, Any]:
    p, i, d = c["controlPID"]
    return {"position": 0.0, "velocity": c["maxVelocity"], "p": p, "i": i, "d": d}


def _picture(c: Mapping[str, Any]) -> dict[str, Any]:
    return {"id": 0}


_CONSTANTS: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "Camera": _picture,
    "Emitter": lambda c: {
        "bytes_per_ms": c["baudRate"] / max(c["byteSize"], 1) / 1000 if c["baudRate"] > 0 else -1
    },
    "Lidar": _picture,
    "LinearMotor": _motor,
    "RangeFinder": _picture,
    "RotationalMotor": _motor,
}
