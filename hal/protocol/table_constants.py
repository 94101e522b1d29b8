"""Constants of devices in the controller protocol, from a robot's device table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wbridge.hal.catalogue import kind

SIBLINGS = {
    "RotationalMotor": "motor",
    "LinearMotor": "motor",
    "PositionSensor": "positionSensor",
    "Brake": "brake",
}
"""The constants with the tags of the other devices of a joint, by the node type in the request."""


def camel(name: str) -> str:
    """The name in the table of a constant of a codec: "maxVelocity" for "max_velocity"."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def wire_constants(node_type: str, constants: Mapping[str, object]) -> dict[str, Any]:
    """Constants of the table whose name or unit differs in the codec, as the catalogue defines."""
    known = kind(node_type)
    specs = [constant for constant in known.constants if constant.wire] if known is not None else []
    return {name: spec.wire_value(constants[spec.name]) for spec in specs for name in spec.wire_names}


def unsimulated_constants(node_type: str, constants: Mapping[str, object]) -> dict[str, Any]:
    """Constants that the table does not have, of a device that is not simulated."""
    find = UNSIMULATED.get(node_type)
    return {} if find is None else find(constants)


def _motor(c: Mapping[str, Any]) -> dict[str, Any]:
    p, i, d = c["controlPID"]
    return {"position": 0.0, "velocity": c["maxVelocity"], "p": p, "i": i, "d": d}


def _picture(c: Mapping[str, Any]) -> dict[str, Any]:
    return {"id": 0}


UNSIMULATED: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "Camera": _picture,
    "Emitter": lambda c: {
        "bytes_per_ms": c["baudRate"] / max(c["byteSize"], 1) / 1000 if c["baudRate"] > 0 else -1
    },
    "Lidar": _picture,
    "LinearMotor": _motor,
    "RangeFinder": _picture,
    "RotationalMotor": _motor,
}
