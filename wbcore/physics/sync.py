"""Write poses and joint positions from the engine back into the fields of the tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from wbridge.wbcore.physics.build import Handles
from wbridge.wbcore.physics.plan import AxisPlan, JointPlan, Part, SolidPlan, WorldPlan
from wbridge.wbcore.physics.pose import IDENTITY, Pose, Quat, conjugate, multiply, to_axis_angle
from wbridge.wbcore.physics.rotations import Rotation, along, leading, of_body, of_joint, turned
from wbridge.wbcore.physics.tree import is_frame, pose_of
from wbridge.wbcore.scene.node import Node

if TYPE_CHECKING:
    from wbridge.wbcore.physics.kinematics import DriveController

ROUNDING = 1e-12
"""Maximum difference caused by rounding on the way through the engine, not by motion."""


class Physics(Protocol):
    """The interface of a world's physics that this module uses."""

    @property
    def plan(self) -> WorldPlan:
        """The plan that was built."""

    @property
    def handles(self) -> Handles:
        """Engine objects by node."""

    @property
    def drives(self) -> Sequence[DriveController]:
        """The robots that drive without physics."""

    def solid_pose(self, solid: SolidPlan) -> Pose:
        """Return the current pose of a solid in the world."""


def write_back(physics: Physics) -> None:
    """Update the fields of all solids and joints. Fields of objects that did not move keep their bits."""
    for part in physics.plan.parts:
        write_part(physics, part)


def write_part(physics: Physics, part: Part, skipped: Node | None = None) -> None:
    """Update the fields of one part, except those of the solid `skipped`."""
    for body in part.bodies:
        if body in physics.handles.bodies and body.root.node is not skipped and body.carrier is None:
            _write_solid(physics, body.root)
    shared = _shared_parameters(part.joints)
    for joint in part.joints:
        _write_joint(physics, joint, shared)


def write_place(physics: Physics, node: Node) -> None:
    """Update the fields of one node: a solid, a joint or its parameters."""
    node = node.root
    solid = physics.handles.solids.get(node)
    if solid is not None:
        body = solid.body
        if body.root is solid and body in physics.handles.bodies and body.carrier is None:
            _write_solid(physics, solid)
        return
    holder = node.parent.root if node.parent is not None and node.is_a("JointParameters") else node
    joint = physics.handles.joint_plans.get(holder)
    if joint is not None:
        _write_joint(physics, joint, set())


def _write_solid(physics: Physics, solid: SolidPlan) -> None:
    """Write the pose of a body into the fields of its root solid."""
    # Fields are relative to the frame that contains the solid.
    frame = solid.frame if solid.parent is None else physics.solid_pose(solid.parent) @ solid.frame
    local = frame.relative(physics.solid_pose(solid))
    old = pose_of(solid.node)
    if _differ(local.position, old.position):
        solid.node.field("translation").value = local.position
    # q and -q are the same rotation: only a real turn may change the field.
    if _differ(along(local.orientation, old.orientation), old.orientation):
        solid.node.field("rotation").value = _rotation(physics, solid, frame, local.orientation)
    _write_velocity(physics, solid)


def _rotation(physics: Physics, solid: SolidPlan, frame: Pose, orientation: Quat) -> Rotation:
    """Return axis and angle of a solid in its frame by the rule for what moves it."""
    if solid.body.is_dynamic:
        # Webots has the outer frame as a matrix: the sign of its quaternion does not continue.
        outer = conjugate(leading(frame.orientation))
        return of_body(multiply(outer, physics.handles.bodies[solid.body].continuous_orientation))
    if solid.joint is not None:
        return _on_joint(physics, solid, solid.joint, orientation)
    drive = next((drive for drive in physics.drives if drive.plan.solid is solid), None)
    return (drive.rotation if drive is not None else None) or to_axis_angle(orientation)


def _on_joint(physics: Physics, solid: SolidPlan, joint: JointPlan, orientation: Quat) -> Rotation:
    made = physics.handles.joints.get(joint.node)
    if made is None or joint.kind == "slider":
        return to_axis_angle(orientation)
    above = solid.frame if solid.parent is None else solid.parent.pose @ solid.frame
    axes = [solid.frame.local_direction(axis.direction) for axis in joint.axes]
    ways = (now - axis.position for axis, now in zip(joint.axes, made.positions, strict=True))
    expected = turned(above.relative(solid.pose).orientation, list(zip(axes, ways, strict=True)))
    return of_joint(along(orientation, expected), axes[0])


def _write_velocity(physics: Physics, solid: SolidPlan) -> None:
    """Write velocities of bodies with mass to the hidden fields, from which a saved world continues."""
    if not solid.body.is_dynamic:
        return
    made = physics.handles.bodies[solid.body]
    for name, value in (("linearVelocity", made.linear_velocity), ("angularVelocity", made.angular_velocity)):
        if _differ(value, solid.node.get(name)):
            solid.node.field(name).value = tuple(value)


def _differ(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return any(abs(x - y) > ROUNDING for x, y in zip(a, b, strict=True))


def _write_joint(physics: Physics, joint: JointPlan, shared: set[Node]) -> None:
    made = physics.handles.joints.get(joint.node)
    if made is None:
        return
    for index, (axis, position) in enumerate(zip(joint.axes, made.positions, strict=True)):
        field = position_field(joint, axis, index)
        if field is None or axis.parameters in shared:
            continue
        node, name = field
        if node.get(name) != position:
            node.field(name).value = position


def position_field(joint: JointPlan, axis: AxisPlan, index: int) -> tuple[Node, str] | None:
    """Return the node and field with the position of a joint's axis: its parameters or the joint itself."""
    if axis.parameters is not None and "position" in axis.parameters.spec.fields:
        return axis.parameters, "position"
    name = "position" if index == 0 else f"position{index + 1}"
    return (joint.node, name) if name in joint.node.spec.fields else None


def _shared_parameters(joints: list[JointPlan]) -> set[Node]:
    """Return parameters that several joints share by USE: no single position would be correct."""
    counts = Counter(
        axis.parameters for joint in joints for axis in joint.axes if axis.parameters is not None
    )
    return {node for node, count in counts.items() if count > 1}


def frame_below(node: Node | None, solid: Node | None) -> Pose:
    """Return the pose of a node's coordinate system in its solid, from the fields between them.

    Without a solid it is the pose in the world; without a node, the identity.
    """
    line: list[Node] = []
    above = node
    while above is not None and above is not solid:
        if above.body is None and is_frame(above):
            line.append(above)
        above = above.parent
    place = IDENTITY
    for frame in reversed(line):
        place = place @ pose_of(frame)
    return place
