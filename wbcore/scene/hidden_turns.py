"""Whether a saved rotation of the end point of a joint is one that the joint can give it.

Models of other releases have other frames: the wheels of Webots' cars turned about x before they turned about
y. Their rotations would tilt a wheel here, while the positions of their joints mean the same.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from wbridge.wbcore.scene.node import Node

TOLERANCE = 0.1
"""How far (rad) the axis of an end point may have tilted."""
Quaternion = tuple[float, float, float, float]


def can_turn(solid: Node, rotation: Sequence[float], saved: Mapping[Node, float]) -> bool:
    """Return False if the joint above a solid cannot turn it like this: its last axis would tilt.

    Args:
        solid: the end point of a joint, or any other solid.
        rotation: its saved rotation (axis and angle).
        saved: positions (rad) of first axes in the same file, by joint.
    """
    joint = solid.parent
    while joint is not None and (joint.proto is not None or joint.spec.name == "Slot"):
        joint = joint.parent
    if joint is None or joint.spec.name not in ("HingeJoint", "Hinge2Joint"):
        return True
    turn = _product(_quaternion(rotation), _inverse(_quaternion(solid.get("rotation"))))
    if joint.spec.name == "HingeJoint":
        return _apart(_turned(turn, _axis(joint, 1)), _axis(joint, 1)) <= TOLERANCE
    if joint not in saved:
        return True
    parameters = joint.get("jointParameters")
    start = 0.0 if parameters is None else float(parameters.root.get("position"))
    steered = _turned(_quaternion((*_axis(joint, 1), saved[joint] - start)), _axis(joint, 2))
    return _apart(_turned(turn, _axis(joint, 2)), steered) <= TOLERANCE


def _axis(joint: Node, number: int) -> tuple[float, float, float]:
    parameters = joint.get("jointParameters" if number == 1 else "jointParameters2")
    default = (1.0, 0.0, 0.0) if number == 1 else (0.0, 0.0, 1.0)
    return default if parameters is None else tuple(parameters.root.get("axis"))


def _quaternion(rotation: Sequence[float]) -> Quaternion:
    length = math.sqrt(sum(part * part for part in rotation[:3])) or 1.0
    x, y, z = (_sine(rotation[3] / 2) * part / length for part in rotation[:3])
    return _sine(rotation[3] / 2 + math.pi / 2), x, y, z


def _sine(angle: float) -> float:
    """Return the sine by its series, whose bits are the same everywhere, within 1e-9."""
    angle -= 2 * math.pi * round(angle / (2 * math.pi))
    term = total = angle
    for k in range(2, 22, 2):
        term *= -angle * angle / (k * (k + 1))
        total += term
    return total


def _inverse(turn: Quaternion) -> Quaternion:
    return turn[0], -turn[1], -turn[2], -turn[3]


def _product(left: Quaternion, right: Quaternion) -> Quaternion:
    (a, b, c, d), (e, f, g, h) = left, right
    return (
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    )


def _turned(turn: Quaternion, axis: Sequence[float]) -> Sequence[float]:
    return _product(_product(turn, (0.0, axis[0], axis[1], axis[2])), _inverse(turn))[1:]


def _apart(left: Sequence[float], right: Sequence[float]) -> float:
    return math.dist(left, right) / (math.dist(right, (0.0, 0.0, 0.0)) or 1.0)
