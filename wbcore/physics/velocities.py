"""Velocities of points on bodies with mass, on what is fixed to them, and on end points without physics."""

from __future__ import annotations

from typing import Protocol

from wbridge.wbcore.physics.build import Handles
from wbridge.wbcore.physics.plan import BodyPlan, JointPlan, SolidPlan
from wbridge.wbcore.physics.pose import (
    UPRIGHT,
    ZERO,
    Pose,
    Vec3,
    add,
    axis_angle,
    cross,
    multiply,
    rotate,
    scaled,
    sub,
)

Velocity = tuple[Vec3, Vec3]
"""Linear (m/s) and angular (rad/s), in world axes."""


class Physics(Protocol):
    """The interface of a world's physics that this module uses."""

    @property
    def handles(self) -> Handles:
        """Engine objects by node."""

    def solid_pose(self, solid: SolidPlan) -> Pose:
        """Return the current pose of a solid in the world."""


def velocity_of(physics: Physics, body: BodyPlan, point: Vec3) -> Velocity:
    """Return the velocity of a point (m, world) that moves with a body: v + w x r."""
    made = physics.handles.bodies.get(body)
    if made is not None and body.is_dynamic:
        return made.point_velocity(point), made.angular_velocity
    joint = body.root.joint
    if joint is not None and not body.is_dynamic:
        above = _fixed() if joint.parent is None else velocity_of(physics, joint.parent.body, point)
        return _sum(above, _on_joint(physics, joint, point))
    if body.carrier is not None:
        return velocity_of(physics, body.carrier, point)
    if made is not None:
        return made.point_velocity(point), made.angular_velocity
    linear, angular = body.linear_velocity, body.angular_velocity
    return add(linear, cross(angular, sub(point, body.pose.position))), angular


def _on_joint(physics: Physics, joint: JointPlan, point: Vec3) -> Velocity:
    """Return the velocity that a joint's own motion gives to a point: rate x axis, or w x r about the
    anchor."""
    made = physics.handles.joints.get(joint.node)
    if made is None:
        return _fixed()
    frame = Pose() if joint.parent is None else physics.solid_pose(joint.parent)
    if joint.kind == "slider":
        along = frame.direction(joint.axes[0].direction)
        return scaled(along, made[0].velocity), ZERO
    spin, turn = ZERO, UPRIGHT
    # Each axis is carried by the turns about the axes before it.
    for plan, axis in zip(joint.axes, made.axes, strict=True):
        spin = add(spin, scaled(rotate(turn, plan.direction), axis.velocity))
        turn = multiply(turn, axis_angle(plan.direction, axis.position))
    spin = frame.direction(spin)
    return cross(spin, sub(point, frame.point(joint.anchor))), spin


def _fixed() -> Velocity:
    return ZERO, ZERO


def _sum(a: Velocity, b: Velocity) -> Velocity:
    return add(a[0], b[0]), add(a[1], b[1])
