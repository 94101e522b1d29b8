"""Robots that drive without physics: two wheels on a plane, moved step by step (8.3.1 manual, chapter 3.23).

A wheel's speed follows its target by at most maxAcceleration * dt; slip noise changes it at random. With
wheel radius r, axle e and speeds l and r the robot turns by (r - l) dt r / e about its up axis, and moves by
the mean along the direction half way through the turn. Contacts push it out by their mean horizontal depth.
Its wheels do not slip: a push back is subtracted from their turns.
"""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING

from wbridge.wbcore.physics.build import Builder
from wbridge.wbcore.physics.plan import JointPlan, KinematicDrive
from wbridge.wbcore.physics.pose import Vec3, add, axis_angle, cross, dot, length, rotate, scaled, sub, unit
from wbridge.wbcore.physics.rotations import Rotation

if TYPE_CHECKING:
    from wbridge.wbcore.engine import _engine

_PARALLEL = 1e-9
"""Maximum sine between a rotation's axis and the up axis for turns about the same axis."""


class DriveController:
    """Move one robot. Targets are those of its wheels' motors, or set by `set_speeds`."""

    def __init__(self, builder: Builder, plan: KinematicDrive) -> None:
        self.plan = plan
        self._builder = builder
        self._body: _engine.Body = builder.body(plan.solid.body)
        self._geoms = {
            geom.id
            for solid, made in builder.handles.geoms_of.items()
            if solid.body is plan.solid.body
            for geom in made
        }
        self._targets = (0.0, 0.0)
        self._speeds = (0.0, 0.0)
        self.travel = [0.0, 0.0]
        """Angles that the wheels have turned (rad), with slip."""
        self._turned = (0.0, 0.0)
        """Angles of the current step (rad), with slip."""
        self._written: Rotation = plan.node.get("rotation")
        self._heading = 0.0
        """The angle (rad) about the up axis since the robot's field had this value."""

    def set_speeds(self, left: float, right: float) -> None:
        """Set the target speeds of DifferentialWheels (rad/s)."""
        self._targets = (left, right)

    def set_speed(self, side: int, speed: float) -> None:
        """Set the target speed of one wheel (rad/s): 0 left, 1 right."""
        left, right = self._targets
        self._targets = (speed, right) if side == 0 else (left, speed)

    @property
    def speeds(self) -> tuple[float, float]:
        """Return the speeds of the left and right wheel in the last step (rad/s), without noise."""
        return self._speeds

    def before_step(self) -> None:
        """Set the velocity of the robot's frame for the next step."""
        plan, dt = self.plan, self._builder.engine.dt
        left, right = (self._slipped(speed) for speed in self._next_speeds(dt))
        self._turned = (left * dt, right * dt)
        self.travel = [self.travel[0] + left * dt, self.travel[1] + right * dt]
        self._turn_wheels(dt)
        # Differential drive: a turn of (r - l) dt R / e and a way of (r + l) dt R / 2, R the wheels' radius,
        # e the axle. The chord of the arc points half the turn away from the direction at the start.
        turn = (right - left) * dt * plan.wheel_radius / plan.axle if plan.axle > 0 else 0.0
        travel = (right + left) * plan.wheel_radius * dt / 2
        self._count(turn)
        orientation = self._body.orientation
        half = rotate(axis_angle(plan.up, turn / 2), plan.forward)
        self._body.linear_velocity = scaled(rotate(orientation, half), travel / dt)
        self._body.angular_velocity = scaled(rotate(orientation, plan.up), turn / dt)

    def _count(self, turn: float) -> None:
        """Count a turn (rad) from the value of the field, which others may have set since the last step."""
        rotation = self.plan.node.get("rotation")
        if rotation is not self._written:
            self._written, self._heading = rotation, 0.0
        self._heading += turn

    @property
    def rotation(self) -> Rotation | None:
        """Axis and angle of the field with whole turns; None if the robot does not turn about that axis."""
        axis = unit(self._written[:3])
        if axis is None or length(cross(axis, self.plan.up)) > _PARALLEL:
            return None
        return (*axis, self._written[3] + math.copysign(1.0, dot(axis, self.plan.up)) * self._heading)

    def _next_speeds(self, dt: float) -> tuple[float, float]:
        plan = self.plan
        if plan.max_acceleration >= 0:
            limit = plan.max_acceleration * dt
            pairs = zip(self._speeds, self._targets, strict=True)
            left, right = (old + min(max(new - old, -limit), limit) for old, new in pairs)
        else:
            left, right = (self._joint_speed(joint) for joint in (plan.left, plan.right))
        self._speeds = (left, right)
        return self._speeds

    def _turn_wheels(self, dt: float) -> None:
        """Turn the wheels of DifferentialWheels with the robot; they have no motor of their own."""
        if self.plan.max_acceleration < 0:
            return
        for joint, speed in zip((self.plan.left, self.plan.right), self._speeds, strict=True):
            made = self._builder.handles.joints.get(joint.node) if joint is not None else None
            if made is not None and made.kinematic:
                made.positions = [made.positions[0] + speed * dt]

    def _joint_speed(self, joint: JointPlan | None) -> float:
        """Return the speed of a wheel joint in the last step, positive forward."""
        made = self._builder.handles.joints.get(joint.node) if joint is not None else None
        if made is None or joint is None:
            return 0.0
        axis = joint.axes[0].direction
        side = cross(self.plan.up, self.plan.forward)
        return float(made[0].velocity) * math.copysign(1.0, dot(axis, side))

    def _slipped(self, speed: float) -> float:
        # Manual 8.3.1, chapter 3.23: slipNoise scales the speed by a uniform factor, 1 - noise to 1 + noise.
        noise = self.plan.slip_noise
        return speed * (1 - noise + 2 * noise * self._builder.engine.random()) if noise > 0 else speed

    def after_step(self) -> None:
        """Push the robot out of its contacts."""
        contacts = self._builder.engine.contacts()
        depths: list[Vec3] = []
        up = self._builder.settings.up
        for i in range(len(contacts)):
            first, second = contacts.geoms[i]
            if (first in self._geoms) == (second in self._geoms):
                continue
            x, y, z = (float(v) for v in contacts.normals[i])
            normal = (x, y, z) if first in self._geoms else (-x, -y, -z)
            # The robot moves in a plane: only the horizontal part of a normal pushes it.
            level = sub(normal, scaled(up, dot(normal, up)))
            depths.append(scaled(level, float(contacts.depths[i])))
        push = scaled(_sum(depths), 1 / len(depths)) if depths else (0.0, 0.0, 0.0)
        if any(push):
            self._body.set_pose(add(self._body.position, push), self._body.orientation)
            self._turn_back(push)

    def _turn_back(self, push: Vec3) -> None:
        """Subtract a push against the direction of travel from the wheels' turns, at most all of them."""
        if self.plan.wheel_radius <= 0:
            return
        back = dot(push, rotate(self._body.orientation, self.plan.forward)) / self.plan.wheel_radius
        for side, turned in enumerate(self._turned):
            left = min(max(turned + back, min(turned, 0.0)), max(turned, 0.0))
            self.travel[side] += left - turned

    def save(self) -> bytes:
        """Save targets, speeds and travel."""
        return struct.pack("<7d", *self._targets, *self._speeds, *self.travel, self._heading)

    def restore(self, state: bytes) -> None:
        """Restore what was saved."""
        a, b, c, d, left, right, self._heading = struct.unpack("<7d", state)
        self._targets, self._speeds, self.travel = (a, b), (c, d), [left, right]


def _sum(vectors: list[Vec3]) -> Vec3:
    total: Vec3 = (0.0, 0.0, 0.0)
    for vector in vectors:
        total = add(total, vector)
    return total
