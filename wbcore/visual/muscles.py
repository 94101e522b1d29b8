"""Muscles: spheroids between a joint and its end point that bulge, colored by the force of the motor.

Source: manual, chapter Muscle; WbMuscle.cpp for the size, and for the colors: a muscle that gets longer mixes
in the second color, one that gets shorter the third; one that does neither, by the sign of the force.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2, hypot, pi, sqrt

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.plan import JointPlan
from wbridge.wbcore.physics.pose import (
    UPRIGHT,
    Pose,
    Quat,
    Vec3,
    add,
    axis_angle,
    cross,
    dot,
    length,
    multiply,
    rotate,
    scaled,
    sub,
    unit,
)
from wbridge.wbcore.physics.tree import node_in, nodes_in, number
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.schema import NodeSpec, schema

DEVICES = ("device", "device2", "device3")
RED = (1.0, 0.0, 0.0)
SHORTEST = 1e-3
"""Below this length (m) a muscle is not drawn: it would become a wide disk."""


class MusclePart(Node):
    """Stands for the spheroid of a muscle, as the geometry of a Shape."""

    __slots__ = ("muscle",)

    def __init__(self, muscle: Muscle) -> None:
        super().__init__(_spec("Sphere"))
        self.type = "MusclePart"
        self.muscle = muscle


def muscle_of(shape: Node) -> Muscle | None:
    """Return the muscle that a Shape stands for, if any."""
    geometry = node_in(shape, "geometry")
    return geometry.muscle if isinstance(geometry, MusclePart) else None


def muscles_of(physics: PhysicsWorld, joint: Node) -> Iterator[Muscle]:
    """Iterate over the visible muscles of the motors of a joint with an end point."""
    plan = physics.handles.joint_plans.get(joint)
    if plan is None or plan.child is None:
        return
    for field in DEVICES:
        for motor in nodes_in(joint, field):
            for muscle in nodes_in(motor.root, "muscles"):
                if muscle.root.get("visible") and _volume(muscle.root) > 0:
                    yield _muscle(physics, joint, motor.root, muscle.root)


def _muscle(physics: PhysicsWorld, joint: Node, motor: Node, node: Node) -> Muscle:
    """Return the muscle of a node at this joint and motor, always the same one: USE may give it others."""
    known: dict[tuple[Node, Node], Muscle] = physics.shown.setdefault(node, {})
    if (joint, motor) not in known:
        known[joint, motor] = Muscle(physics, joint, motor, node)
    return known[joint, motor]


class Muscle:
    """A Muscle node of a motor, and where it is."""

    def __init__(self, physics: PhysicsWorld, joint: Node, motor: Node, node: Node) -> None:
        self._physics, self._node = physics, node
        self.holders = joint, motor
        self._material = Node(_spec("Material"))
        self.shape = self._make_shape()
        self.look()

    def _make_shape(self) -> Node:
        shape = Node(_spec("Shape"), self._node.source, self._node.offset)
        appearance = Node(_spec("Appearance"))
        appearance.set("material", self._material)
        shape.set("appearance", appearance)
        shape.set("geometry", MusclePart(self))
        shape.parent = self._node
        return shape

    # Size.

    def place(self) -> Pose:
        """Return where a sphere with a radius of 1 becomes the muscle, in the frame of the joint.

        The scale is 0 if it is too short to be drawn.
        """
        plan = self._plan
        assert plan.child is not None, "muscles end at solids"
        end = self._physics.solid_pose(plan.child).point(self._node.get("endOffset"))
        start = self._node.get("startOffset")
        along = sub(self._physics.pose(self.holders[0]).local(end), start)
        size = length(along)
        if size < SHORTEST:
            return Pose(add(start, scaled(along, 0.5)), UPRIGHT, (0.0, 0.0, 0.0))
        radius = sqrt(3 * _volume(self._node) / (4 * pi * size))
        return Pose(add(start, scaled(along, 0.5)), _turn_to(along), (radius, radius, size / 2))

    @property
    def _plan(self) -> JointPlan:
        return self._physics.handles.joint_plans[self.holders[0]]

    # Color.

    def look(self) -> tuple[Vec3, bool]:
        """Apply the current color and `castShadows` to the shape, and return them."""
        now = self._color(), bool(self._node.get("castShadows"))
        self._material.set("diffuseColor", now[0])
        self.shape.set("castShadows", now[1])
        return now

    def _color(self) -> Vec3:
        colors: list[Vec3] = [(color[0], color[1], color[2]) for color in self._node.get("color")] or [RED]
        share = self._share()
        if share == 0:
            return colors[0]
        rate = self._rate()
        is_longer = rate > 0 or (rate == 0 and share < 0)
        other = colors[min(1 if is_longer else 2, len(colors) - 1)]
        return add(scaled(colors[0], 1 - abs(share)), scaled(other, abs(share)))

    def _share(self) -> float:
        """Return the share of the greatest force that the motor applies, or of the greatest velocity without
        physics, from -1 to 1."""
        motor, joint = self._motor, self._joint
        if motor is None or joint is None:
            return 0.0
        if joint.kinematic:
            now, most = motor.current_velocity, motor.max_velocity
        else:
            now = motor.wanted_force if motor.force_control else motor.feedback
            most = motor.max_force
        return min(max(now / most, -1.0), 1.0) if most > 0 else 0.0

    def _rate(self) -> float:
        """Return how fast it gets longer, times its length (m^2/s)."""
        plan, joint = self._plan, self._joint
        if plan.parent is None or plan.child is None or joint is None:
            return 0.0
        parent = self._physics.solid_pose(plan.parent)
        end = self._physics.solid_pose(plan.child).point(self._node.get("endOffset"))
        along = sub(end, self._physics.pose(self.holders[0]).point(self._node.get("startOffset")))
        arm = sub(end, parent.point(plan.anchor))
        turned, motion = UPRIGHT, (0.0, 0.0, 0.0)
        for axis, state in zip(plan.axes, joint.axes, strict=True):
            own = axis_angle(axis.direction, state.position)
            direction = parent.direction(rotate(turned, axis.direction))
            turned = multiply(turned, own)
            way = direction if plan.kind == "slider" else cross(direction, arm)
            motion = add(motion, scaled(way, self._velocity(joint, state)))
        return dot(along, motion)

    def _velocity(self, joint: _engine.Joint, axis: _engine.JointAxis) -> float:
        motor = axis.motor
        return motor.current_velocity if joint.kinematic and motor is not None else axis.velocity

    @property
    def _motor(self) -> _engine.Motor | None:
        return self._physics.handles.motors.get(self.holders[1])

    @property
    def _joint(self) -> _engine.Joint | None:
        return self._physics.handles.joints.get(self.holders[0])


def _turn_to(along: Vec3) -> Quat:
    """Return a rotation from the z axis to a direction."""
    x, y, z = unit(along) or (0.0, 0.0, 1.0)
    return axis_angle(unit((-y, x, 0.0)) or (1.0, 0.0, 0.0), atan2(hypot(x, y), z))


def _volume(node: Node) -> float:
    """Return the volume in m^3; releases before R2019b have no such field."""
    return number(node, "volume", 0.01)


def _spec(name: str) -> NodeSpec:
    spec = schema(None).node(name)
    assert spec is not None, "these nodes exist"
    return spec
