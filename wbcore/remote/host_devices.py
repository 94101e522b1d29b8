"""Devices of a robot that is not simulated: what their controller has to know of them, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hal import table
from wbcore.device_rules import Place
from wbcore.devices.device import Device
from wbcore.devices.joint_device import SIBLINGS
from wbcore.robots.robot import Robot

__all__ = ["HostDevice"]


class HostDevice(Device):
    """Answers with the constants of the device table; commands do nothing."""

    def __init__(self, place: Place, entry: table.Device, robot: Robot) -> None:
        super().__init__(place, entry, robot)
        self.works = False

    def constants(self) -> dict[str, Any]:
        """Constants that the controller link calls or counts otherwise than the table."""
        find = _CONSTANTS.get(self.entry.type)
        return {} if find is None else find(self.entry.constants)

    def on_get_sibling(self, node_type: int) -> None:
        """Tell the tag of the device of a type at the same joint; 0 when there is none."""
        constant = SIBLINGS.get(self.robot.dialect.node(node_type), "")
        self.tell("sibling", self.entry.constants.get(constant, 0))


def _joint(c: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": int(c["type"] == "linear")}


def _motor(c: Mapping[str, Any]) -> dict[str, Any]:
    p, i, d = c["controlPID"]
    force = c["maxTorque"] if "maxTorque" in c else c["maxForce"]
    targets = {"position": 0.0, "velocity": c["maxVelocity"], "max_force": force}
    return _joint(c) | targets | {"p": p, "i": i, "d": d, "couplings": c["coupled"]}


def _planar(c: Mapping[str, Any]) -> dict[str, Any]:
    return {"id": 0, "fov": c["fieldOfView"], "planar": int(c["projection"] == "planar")}


def _camera(c: Mapping[str, Any]) -> dict[str, Any]:
    return _planar(c) | {"min_fov": c["minFieldOfView"], "max_fov": c["maxFieldOfView"]}


def _lidar(c: Mapping[str, Any]) -> dict[str, Any]:
    width, layers = c["horizontalResolution"], c["numberOfLayers"]
    rest = {
        "near": c["minRange"],
        "frequency": c["defaultFrequency"],
        "vertical_fov": c["verticalFieldOfView"],
    }
    return _planar(c) | rest | {"width": width, "height": layers, "layers": layers}


def _one_of(name: str, *kinds: str) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """A constant that is a word in the table and a number on the controller link."""
    return lambda c: {name: kinds.index(c["type"]) if c["type"] in kinds else 0}


_CONSTANTS: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "Brake": _joint,
    "Camera": _camera,
    "Connector": lambda c: {"locked": c["isLocked"]},
    "DistanceSensor": _one_of("type", "generic", "infra-red", "sonar", "laser"),
    "Emitter": lambda c: {
        "bytes_per_ms": c["baudRate"] / max(c["byteSize"], 1) / 1000 if c["baudRate"] > 0 else -1
    },
    "GPS": lambda c: {"coordinate_system": int(c["coordinateSystem"] == "WGS84")},
    "Lidar": _lidar,
    "LinearMotor": _motor,
    "PositionSensor": _joint,
    "Radar": lambda c: {
        "horizontal_fov": c["horizontalFieldOfView"],
        "vertical_fov": c["verticalFieldOfView"],
    },
    "Radio": lambda c: {"sensitivity": c["rxSensitivity"], "power": c["txPower"]},
    "RangeFinder": lambda c: _planar(c) | {"near": c["minRange"]},
    "RotationalMotor": _motor,
    "TouchSensor": _one_of("type", "bumper", "force", "force-3d"),
    "VacuumGripper": lambda c: {"on": c["isOn"]},
}
