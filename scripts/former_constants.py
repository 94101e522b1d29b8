"""Constants of Webots 8 that later releases lack, and their values.

Types of nodes that no longer exist have numbers beyond those of the protocol, which no other type has.
"""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
FORMER_NODES = {
    "WB_NODE_CAMERA_ZOOM": 201,
    "WB_NODE_DIFFERENTIAL_WHEELS": 202,
    "WB_NODE_EXTRUSION": 203,
    "WB_NODE_MOTOR": 204,
    "WB_NODE_SERVO": 205,
    "WB_NODE_SUPERVISOR": 206,
    "WB_NODE_SWITCH": 207,
}
FORMER_TYPES = {
    "WB_CAMERA_COLOR": ord("c"),
    "WB_CAMERA_RANGE_FINDER": ord("r"),
    "WB_CAMERA_BOTH": ord("b"),
    "WB_MOTOR_ROTATIONAL": 0,
    "WB_MOTOR_LINEAR": 1,
    "WB_SERVO_ROTATIONAL": 0,
    "WB_SERVO_LINEAR": 1,
}
HEADERS = {
    "WB_CAMERA_": "webots/camera.h",
    "WB_MOTOR_": "webots/motor.h",
    "WB_NODE_": "webots/nodes.h",
    "WB_SERVO_": "webots/servo.h",
}
"""The header of each, by its beginning."""
ROBOT_KEYS = "WB_ROBOT_KEYBOARD_"


def robot_keys(spec: Json) -> dict[str, int]:
    """Return the keys that the class Robot and its header had."""
    constants = spec["constants"]
    named = sorted(one for one in constants if one.startswith(ROBOT_KEYS))
    return {one: constants[one.replace("ROBOT_", "")]["value"] for one in named}


def former_constants(spec: Json) -> dict[str, int]:
    """Return all of them."""
    return FORMER_NODES | FORMER_TYPES | robot_keys(spec)


def former_of(header: str, spec: Json) -> dict[str, int]:
    """Return those that a header declares."""
    if header == "webots/robot.h":
        return robot_keys(spec)
    found = FORMER_NODES | FORMER_TYPES
    beginnings = [beginning for beginning, home in HEADERS.items() if home == header]
    return {name: value for name, value in found.items() if name.startswith(tuple(beginnings or " "))}
