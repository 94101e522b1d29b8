"""The helices of a Propeller: they turn with its motor, and only one of them is seen.

Source: manual, chapter Propeller; WbPropeller.cpp. Above `fastHelixThreshold` it is the fast helix, as a
picture of a turning one, else the slow helix.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from wbridge.wbcore.physics.pose import Pose, Vec3, axis_angle, rotate, sub, unit
from wbridge.wbcore.physics.tree import number
from wbridge.wbcore.scene.node import Node

HELICES = ("slowHelix", "fastHelix")


class HelixTurn(NamedTuple):
    """A turn about an axis through a center (m), both in the frame of a body."""

    axis: Vec3
    center: Vec3

    def place(self, angle: float) -> Pose:
        """Return the pose after a turn by an angle (rad) of what was not turned before."""
        turn = axis_angle(self.axis, angle)
        return Pose(sub(self.center, rotate(turn, self.center)), turn)


def turn_of(propeller: Node, frame: Pose) -> HelixTurn:
    """Return how helices turn, for the place of the propeller's parent in a body."""
    axis = unit(propeller.get("shaftAxis")) or (1.0, 0.0, 0.0)
    return HelixTurn(frame.direction(axis), frame.point(propeller.get("centerOfThrust")))


def speeds_of(propeller: Node, helix: str) -> tuple[float, float]:
    """Return the speed (rad/s) above which a helix is seen, and the last one at which it is."""
    least = number(propeller, "fastHelixThreshold") if "fastHelixThreshold" in propeller.spec.fields else inf
    return (least, inf) if helix == "fastHelix" else (-inf, least)
