"""A robot as URDF: links, joints, limits, masses, shapes of bounding objects, frames of devices.

Names and frames are those of Webots' export (manual, wb_robot_get_urdf; facts from WbNode, WbJoint and
WbBaseNode): the robot is `base_link`; a solid or device is a link. Joints bear the name of their motor, else
of their position sensor; fixed ones are `PARENT_CHILD_joint`. The frame of a link on a hinge is at its
anchor, with the axes of the solid. Joint positions are those of Webots, so the text is always the same. A
joint with several axes becomes one joint per axis with links in between, which Webots does not export.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from wbridge.wbcore.physics.plan import AxisPlan, Geometry, JointPlan, Part, SolidPlan
from wbridge.wbcore.physics.pose import (
    IDENTITY,
    UPRIGHT,
    Pose,
    Quat,
    Vec3,
    axis_angle,
    conjugate,
    matrix,
    multiply,
    scaled,
    sub,
)
from wbridge.wbcore.scene.node import Node

ROOT = "base_link"
_FAR = 1e6
"""The limit (m) of a slider without limits: URDF's prismatic joints need some."""


def urdf_of(part: Part, robot: Node, name: str, prefix: str) -> str:
    """Return the URDF of a robot.

    Args:
        part: the part of the plan that contains the robot.
        robot: the robot's node.
        name: the name of the robot in the document.
        prefix: precedes the names of links and joints.
    """
    lines = ['<?xml version="1.0"?>', f"<robot name={quoteattr(name)}>"]
    lines += _Document(part, robot, prefix).lines()
    return "\n".join([*lines, "</robot>", ""])


class _Link(NamedTuple):
    """A link: its name, and its frame in the world at the positions of the plan."""

    name: str
    frame: Pose


class _Document:
    """Writes the links and joints of one robot."""

    def __init__(self, part: Part, robot: Node, prefix: str) -> None:
        self._prefix = prefix
        self._robot = robot
        self._names: dict[str, set[str]] = {"link": set(), "joint": set()}
        self._number = 0
        self._links: dict[SolidPlan, _Link] = {}
        self._solids = [solid for solid in part.solids if _is_inside(solid, robot)]

    def lines(self) -> Iterator[str]:
        """Yield the elements, each link after the joint above it."""
        for solid in self._solids:
            above = self._links.get(solid.parent) if solid.parent is not None else None
            if solid.node is self._robot:
                self._links[solid] = link = _Link(self._named("link", ROOT), solid.pose.rigid)
                yield from _link(link, solid)
            elif above is not None and (solid.joint is None or not solid.joint.by_reference):
                yield from self._child(solid, above)

    def _child(self, solid: SolidPlan, above: _Link) -> Iterator[str]:
        name, joint = self._named("link", _name_of(solid.node)), solid.joint
        if joint is None:
            link = _Link(name, solid.pose.rigid)
            label = self._fresh("joint", f"{above.name}_{name}_joint")
            yield from _joint(label, "fixed", above, link, above.frame.relative(link.frame))
        else:
            link = _Link(name, _frame(solid, joint))
            yield from self._axes(joint, above, link)
        self._links[solid] = link
        yield from _link(link, solid)

    def _axes(self, joint: JointPlan, above: _Link, link: _Link) -> Iterator[str]:
        """Yield a joint for each axis, with a link without mass between two of them."""
        zero = _at_zero(joint, link.frame)
        origin = above.frame.relative(zero)
        for index, axis in enumerate(joint.axes):
            is_last = index == len(joint.axes) - 1
            below = link if is_last else _Link(self._fresh("link", f"{link.name}_{index + 1}"), link.frame)
            label = self._named("joint", _joint_name(joint, axis))
            kind, limit = _limit(axis, joint.kind == "slider")
            direction = zero.local_direction(_world(joint).direction(axis.direction))
            content = [f'<axis xyz="{_numbers(direction)}"/>', *limit, *_losses(axis)]
            yield from _joint(label, kind, above, below, origin, content)
            if not is_last:
                yield f"  <link name={quoteattr(below.name)}/>"
            above, origin = below, IDENTITY

    def _named(self, kind: str, name: str) -> str:
        return self._fresh(kind, self._prefix + name)

    def _fresh(self, kind: str, name: str) -> str:
        """Return a name that no other link or joint has: Webots appends a number."""
        fresh = name
        while fresh in self._names[kind]:
            fresh, self._number = f"{name}_{self._number}", self._number + 1
        self._names[kind].add(fresh)
        return fresh


# Names.


def _name_of(node: Node) -> str:
    """Return the name of a node, else its DEF name, else its type in lower case."""
    return str(node.get("name")) or node.def_name or node.type.lower()


def _joint_name(joint: JointPlan, axis: AxisPlan) -> str:
    """Return the name of the motor, of the position sensor, or of the joint itself."""
    motor = axis.motor.node if axis.motor is not None else None
    device = motor or axis.sensor
    if device is not None:
        return str(device.get("name"))
    return joint.node.def_name or joint.node.type.lower()


def _is_inside(solid: SolidPlan, robot: Node) -> bool:
    above: SolidPlan | None = solid
    while above is not None and above.node is not robot:
        above = above.parent
    return above is not None


# Frames.


def _world(joint: JointPlan) -> Pose:
    return joint.parent.pose if joint.parent is not None else IDENTITY


def _frame(solid: SolidPlan, joint: JointPlan) -> Pose:
    """Return the frame of a link on a joint: the solid's, moved to the anchor of a hinge."""
    if joint.kind == "slider":
        return solid.pose.rigid
    return Pose(_world(joint).point(joint.anchor), solid.pose.orientation)


def _at_zero(joint: JointPlan, frame: Pose) -> Pose:
    """Return the frame of a joint's link at position 0 of all axes."""
    world = _world(joint)
    if joint.kind == "slider":
        axis = joint.axes[0]
        return Pose(
            sub(frame.position, scaled(world.direction(axis.direction), axis.position)), frame.orientation
        )
    turn: Quat = UPRIGHT
    for axis in joint.axes:
        turn = multiply(turn, axis_angle(world.direction(axis.direction), axis.position))
    return Pose(frame.position, multiply(conjugate(turn), frame.orientation))


def _rpy(orientation: Quat) -> Vec3:
    """Return roll, pitch and yaw (rad) about the fixed axes x, y, z, also at a pitch of a quarter turn."""
    (a, b, c), (d, e, f), (g, _, _) = matrix(orientation)
    yaw = math.atan2(d, a)
    sine, cosine = math.sin(yaw), math.cos(yaw)
    pitch = math.atan2(-g, cosine * a + sine * d)
    # The roll is what the yaw leaves, so that both fit where a and d vanish and the yaw is any.
    roll = math.atan2(sine * c - cosine * f, cosine * e - sine * b)
    return (roll, pitch, yaw)


# Elements.


def _joint(
    name: str, kind: str, above: _Link, below: _Link, origin: Pose, content: list[str] | None = None
) -> Iterator[str]:
    yield f'  <joint name={quoteattr(name)} type="{kind}">'
    yield f"    <parent link={quoteattr(above.name)}/>"
    yield f"    <child link={quoteattr(below.name)}/>"
    yield from (f"    {line}" for line in content or ())
    yield f"    {_origin(origin)}"
    yield "  </joint>"


def _limit(axis: AxisPlan, is_linear: bool) -> tuple[str, list[str]]:
    """Return the type of a joint and its limits: those of the motor's position, else the stops."""
    motor = axis.motor
    low, high = (motor.min_position, motor.max_position) if motor is not None else (0.0, 0.0)
    if low == high and axis.has_stops and math.isfinite(axis.min_stop) and math.isfinite(axis.max_stop):
        low, high = axis.min_stop, axis.max_stop
    kind = "prismatic" if is_linear else "revolute"
    if low == high and is_linear:
        low, high = -_FAR, _FAR
    bounds = f' lower="{low!r}" upper="{high!r}"'
    if low == high:
        kind, bounds = "continuous", ""
    if motor is None and not bounds:
        return kind, []
    effort, velocity = (motor.max_force, motor.max_velocity) if motor is not None else (0.0, 0.0)
    return kind, [f'<limit effort="{effort!r}"{bounds} velocity="{velocity!r}"/>']


def _losses(axis: AxisPlan) -> list[str]:
    if axis.damping == axis.friction == 0:
        return []
    return [f'<dynamics damping="{axis.damping!r}" friction="{axis.friction!r}"/>']


def _link(link: _Link, solid: SolidPlan) -> Iterator[str]:
    place = link.frame.relative(solid.pose.rigid)
    content = list(_inertial(solid, place))
    for geometry in solid.geometries:
        for shape, offset in _shapes(geometry):
            content += _shape("visual", shape, place @ offset) + _shape("collision", shape, place @ offset)
    if not content:
        yield f"  <link name={quoteattr(link.name)}/>"
        return
    yield f"  <link name={quoteattr(link.name)}>"
    yield from (f"    {line}" for line in content)
    yield "  </link>"


def _inertial(solid: SolidPlan, place: Pose) -> Iterator[str]:
    if solid.mass is None:
        return
    mass = solid.mass.moved(place)
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = mass.inertia
    moments = {"ixx": xx, "ixy": xy, "ixz": xz, "iyy": yy, "iyz": yz, "izz": zz}
    written = " ".join(f'{name}="{float(value)!r}"' for name, value in moments.items())
    yield "<inertial>"
    yield f"  {_origin(Pose(mass.center))}"
    yield f'  <mass value="{mass.mass!r}"/>'
    yield f"  <inertia {written}/>"
    yield "</inertial>"


def _shape(tag: str, shape: str, place: Pose) -> list[str]:
    return [f"<{tag}>", f"  {_origin(place)}", f"  <geometry>{shape}</geometry>", f"</{tag}>"]


def _shapes(geometry: Geometry) -> Iterator[tuple[str, Pose]]:
    """Yield the shapes of a geometry with their poses in its solid; only boxes and round ones, as in Webots.

    URDF's cylinders stand along z. It has no capsules: they are a cylinder and two spheres.
    """
    offset = geometry.offset.rigid
    if geometry.up == "y" and geometry.kind in ("cylinder", "capsule"):
        offset = offset @ Pose(orientation=axis_angle((1.0, 0.0, 0.0), -math.pi / 2))
    if geometry.kind == "box":
        yield f'<box size="{_numbers(geometry.size)}"/>', offset
    elif geometry.kind == "sphere":
        yield f'<sphere radius="{geometry.size[0]!r}"/>', offset
    elif geometry.kind in ("cylinder", "capsule"):
        radius, height = geometry.size
        yield f'<cylinder radius="{radius!r}" length="{height!r}"/>', offset
        for end in (-height / 2, height / 2) if geometry.kind == "capsule" else ():
            yield f'<sphere radius="{radius!r}"/>', offset @ Pose((0.0, 0.0, end))


def _origin(pose: Pose) -> str:
    return f'<origin xyz="{_numbers(pose.position)}" rpy="{_numbers(_rpy(pose.orientation))}"/>'


def _numbers(values: tuple[float, ...]) -> str:
    """Return numbers with all their digits: poses computed from the text are those of the simulation."""
    return " ".join(repr(float(value) + 0.0) for value in values)
