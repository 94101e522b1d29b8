"""Which axis and angle a rotation field gets when its solid has moved, as in Webots.

An orientation has many of them: (axis, angle) and (-axis, -angle), and angles that differ by whole turns.
Controllers read headings from the angle, so the choice is part of the format:

* A body with mass continues from its quaternion: the axis keeps its direction past half a turn, and the angle
  becomes negative (WbSolid::applyPhysicsTransform).
* The end point of a joint without physics: angles of 0 to 2 pi, the quaternion continues from the one at
  position 0 (WbHingeJoint::computeEndPointSolidPositionFromParameters).
* A robot that drives without physics keeps its axis, and its angle counts whole turns
  (WbKinematicDifferentialWheels::applyKinematicMotion).
* Others: an angle of 0 to pi (WbAbstractPose::rotate).
"""

from __future__ import annotations

import math
from typing import TypeAlias

from wbridge.wbcore.engine import mathematics
from wbridge.wbcore.physics.pose import Quat, Vec3, axis_angle, multiply

Rotation: TypeAlias = tuple[float, float, float, float]
"""Unit axis and angle (rad) of a field."""

_NO_TURN = 1e-15


def of_body(q: Quat) -> Rotation:
    """Return the axis along the quaternion's vector and an angle of more than -pi, up to pi."""
    x, y, z, angle = of_joint(q, (0.0, 0.0, 1.0))
    return (x, y, z, angle - 2 * math.pi if angle > math.pi else angle)


def of_joint(q: Quat, axis: Vec3) -> Rotation:
    """Return the axis along the quaternion's vector and an angle of 0 to 2 pi; `axis` where nothing is
    turned."""
    w, x, y, z = q
    s = math.sqrt(x * x + y * y + z * z)
    if s < _NO_TURN:
        return (*axis, 0.0)
    return (x / s, y / s, z / s, 2 * mathematics.atan2(s, w))


def leading(q: Quat) -> Quat:
    """Return the one of q and -q that Webots makes from a matrix.

    It is positive in w where that is at least 1/2, else in the largest of the other components.
    """
    first = q[0] if 4 * q[0] * q[0] >= 1 else max(q[1:], key=abs)
    return q if first > 0 else _negated(q)


def along(q: Quat, expected: Quat) -> Quat:
    """Return the one of q and -q that is nearer to an expected quaternion."""
    return q if sum(a * b for a, b in zip(q, expected, strict=True)) >= 0 else _negated(q)


def turned(start: Quat, turns: list[tuple[Vec3, float]]) -> Quat:
    """Return a start orientation after turns about axes (rad), the last of them applied first."""
    for axis, angle in reversed(turns):
        start = multiply(axis_angle(axis, angle), start)
    return start


def _negated(q: Quat) -> Quat:
    return (-q[0], -q[1], -q[2], -q[3])
