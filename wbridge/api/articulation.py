"""The tree of links of a robot, made from the plan of its physics, for `_engine.Chain`."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.plan import AxisPlan, BodyPlan, JointPlan
from wbridge.wbcore.physics.pose import (
    IDENTITY,
    ZERO,
    Pose,
    Quat,
    Vec3,
    axis_angle,
    conjugate,
    cross,
    multiply,
    rotate,
    sub,
    unit,
)
from wbridge.wbcore.physics.sync import frame_below
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.scene.node import Node, walk

FIXED, HINGE, SLIDER = range(3)
"""The freedoms of a link (`_engine.Link`)."""


class Axis(NamedTuple):
    """One axis of a joint."""

    name: str
    node: Node
    """The joint."""
    place: int
    """Its place among the axes of the joint."""
    motor: str
    """Name of its motor; "": none."""
    low: float
    high: float


class Frame(NamedTuple):
    """The coordinate system of a node: the link that carries it (-1: the base), and its pose there."""

    link: int
    pose: Pose

    def point(self, point: Vec3) -> Vec3:
        """Return a point of the node in the link."""
        return self.pose.rigid.point(point)

    def placed(self, position: Vec3, orientation: Quat) -> Pose:
        """Return the pose of the node, given that of the link."""
        return Pose(position, orientation) @ self.pose.rigid

    def link_orientation(self, orientation: Quat) -> Quat:
        """Return the orientation of the link, given that of the node."""
        return multiply(orientation, conjugate(self.pose.orientation))


class Articulation:
    """The links of a robot."""

    def __init__(self, physics: PhysicsWorld, node: Node) -> None:
        """
        Args:
            physics: of the world.
            node: the robot's built-in node.
        """
        self.structure = physics.structure
        """`physics.structure` for which it holds."""
        self._physics, self._robot = physics, node
        self.root = physics.solid(node).body
        """The body that carries the robot's own solid."""
        self.is_floating = self.root.is_dynamic and not self.root.pinned
        self.axes: list[Axis] = []
        self._links: list[_engine.Link] = []
        self._numbers: dict[BodyPlan, int] = {self.root: -1}
        rows: list[int] = []
        part = next(part for part in physics.plan.parts if physics.solid(node) in part.solids)
        for body in part.bodies:
            if body not in self._numbers:
                rows += self._add(body)
        self.rows: NDArray[np.intp] = np.array(rows, np.intp)
        """The row of each axis in the engine's arrays."""
        self.chain = _engine.Chain(self._links, self.is_floating, self._mass(self.root))
        self._frames: dict[str | Node | None, Frame] = {}

    # Links.

    def _mass(self, body: BodyPlan) -> _engine.Mass | None:
        engine_body = self._physics.handles.bodies.get(body)
        return engine_body.mass if engine_body is not None and body.is_dynamic else None

    def _add(self, body: BodyPlan) -> list[int]:
        """Add a body and what holds it; return the rows of its axes. Bodies elsewhere have none."""
        joint = body.root.joint
        if joint is not None and not joint.by_reference and joint.parent is not None:
            above = self._numbers.get(joint.parent.body)
            engine_joint = self._physics.handles.joints.get(joint.node)
            if above is None or engine_joint is None:
                return []
            self._joint(body, joint, above)
            return [axis.row for axis in engine_joint.axes]
        holder = body.carrier or body.fixed_to
        above = self._numbers.get(holder) if holder is not None else None
        if above is None or holder is None:
            return []
        self._link(body, above, FIXED, ZERO, (0.0, 0.0, 1.0), holder.pose.relative(body.pose))
        return []

    def _joint(self, body: BodyPlan, joint: JointPlan, above: int) -> None:
        assert joint.parent is not None, "the joint has a parent"
        offset = joint.parent.offset
        anchor = offset.point(joint.anchor)
        axes = [offset.direction(direction) for direction in _directions(joint)]
        freedom = SLIDER if joint.kind == "slider" else HINGE
        rest = joint.parent.body.pose.relative(body.pose).rigid
        for direction, plan in zip(axes, joint.axes, strict=True):
            rest = _back(rest, anchor, direction, plan.position, freedom)
        for index, (direction, plan) in enumerate(zip(axes, joint.axes, strict=True)):
            axis = _axis(body, joint, index, plan)
            self.axes.append(axis)
            is_last = index == len(axes) - 1
            carried = body if is_last else None
            pose = rest if is_last else IDENTITY
            self._link(carried, above, freedom, anchor, direction, pose, axis.low, axis.high)
            above = len(self._links) - 1

    def _link(
        self,
        body: BodyPlan | None,
        above: int,
        freedom: int,
        anchor: Vec3,
        direction: Vec3,
        rest: Pose,
        low: float = -math.inf,
        high: float = math.inf,
    ) -> None:
        mass = None if body is None else self._mass(body)
        position, orientation = rest.position, rest.orientation
        link = _engine.Link(above, freedom, anchor, direction, position, orientation, mass, low, high)
        if body is not None:
            self._numbers[body] = len(self._links)
        self._links.append(link)

    # Nodes.

    def frame(self, node: str | Node | None) -> Frame:
        """Return the coordinate system of a node; None: of the last solid.

        Raises:
            KeyError: the robot has no such node, or nothing that moves holds it.
        """
        known = self._frames.get(node)
        if known is None:
            known = self._frames[node] = self._searched(node)
        return known

    def _searched(self, node: str | Node | None) -> Frame:
        if node is None:
            body = max(self._numbers, key=self._numbers.__getitem__)
            return Frame(self._numbers[body], IDENTITY)
        inner = self.names[node] if isinstance(node, str) else node
        solid = self._physics.solid(inner)
        return Frame(self._numbers[solid.body], solid.offset @ frame_below(inner.root, solid.node))

    @property
    def names(self) -> dict[str, Node]:
        """The nodes of the robot by DEF name and by `name`."""
        names: dict[str, Node] = {}
        for inner in walk([self._robot]):
            if inner.use_of is None:
                for name in (inner.def_name, str(inner.get("name")) if "name" in inner.spec.fields else ""):
                    if name:
                        names.setdefault(name, inner)
        return names


def _directions(joint: JointPlan) -> list[Vec3]:
    """Return the directions about which the end point turns one after the other; those of a ball joint are
    made perpendicular, as in the engine."""
    directions = [axis.direction for axis in joint.axes]
    if joint.kind != "ball":
        return directions
    first, _, third = directions
    second = unit(cross(third, first))
    assert second is not None, "the plan has two different directions"
    last = unit(cross(first, second))
    assert last is not None, "both are perpendicular"
    return [first, second, last]


def _back(rest: Pose, anchor: Vec3, direction: Vec3, position: float, freedom: int) -> Pose:
    """Return the pose of a link after its axis has moved back by a position."""
    if freedom == SLIDER:
        x, y, z = direction
        return Pose(sub(rest.position, (x * position, y * position, z * position)), rest.orientation)
    turn = axis_angle(direction, -position)
    arm = rotate(turn, sub(rest.position, anchor))
    moved = (anchor[0] + arm[0], anchor[1] + arm[1], anchor[2] + arm[2])
    return Pose(moved, multiply(turn, rest.orientation))


def _axis(body: BodyPlan, joint: JointPlan, index: int, plan: AxisPlan) -> Axis:
    motor = "" if plan.motor is None else str(plan.motor.node.get("name"))
    sensor = "" if plan.sensor is None else str(plan.sensor.get("name"))
    low, high = (plan.min_stop, plan.max_stop) if plan.has_stops else (-math.inf, math.inf)
    if plan.motor is not None and plan.motor.min_position < plan.motor.max_position:
        low, high = max(low, plan.motor.min_position), min(high, plan.motor.max_position)
    end = f"{body.root.node.get('name')}{f' {index + 1}' if len(joint.axes) > 1 else ''}"
    return Axis(motor or sensor or end, joint.node, index, motor, min(low, high), high)
