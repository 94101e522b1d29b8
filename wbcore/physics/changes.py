"""Apply changes of the tree while a world runs: moved, added and removed solids, joint positions, velocities.

Whatever cannot change in place is rebuilt with its whole part of the plan; the bodies keep their velocities
and the motors their commands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbridge.wbcore.physics import fluids, scenery, sync
from wbridge.wbcore.physics.errors import UnknownNodeError
from wbridge.wbcore.physics.joint_builder import ends_of
from wbridge.wbcore.physics.kinematics import DriveController
from wbridge.wbcore.physics.part_nodes import parts_that_use
from wbridge.wbcore.physics.part_state import PartState
from wbridge.wbcore.physics.plan import BodyPlan, Part, SolidPlan
from wbridge.wbcore.physics.pose import Pose, Vec3
from wbridge.wbcore.physics.tree import node_path, pose_of
from wbridge.wbcore.scene.node import Node

if TYPE_CHECKING:
    from wbridge.wbcore.physics.world import PhysicsWorld


def moved(physics: PhysicsWorld, node: Node) -> None:
    """Move a solid, or a frame around solids, to the pose in its fields, with everything attached to it."""
    node = node.root
    solid = physics.handles.solids.get(node)
    if solid is None:
        if _rebuild_around(physics, node):
            return
        for inner in [part for part in physics.plan.parts if is_inside(part.node, node)]:
            _move_frame(physics, inner, frame_above(inner.node))
        return
    part = part_of(physics, solid)
    if solid.parent is None and _same_scale(solid) and scenery.is_scenery(physics, part):
        scenery.place(physics, part, part.frame)
        return
    stands = solid.body not in physics.handles.bodies
    is_root = solid.body.root is solid and solid.joint is None
    if stands or not is_root or _is_held(part) or not _same_scale(solid):
        rebuild(physics, part, node)
        return
    frame = solid.frame if solid.parent is None else physics.solid_pose(solid.parent) @ solid.frame
    carry(physics, part, solid, frame @ pose_of(node))


def _move_frame(physics: PhysicsWorld, part: Part, frame: Pose) -> None:
    if frame.scale == part.frame.scale and scenery.is_scenery(physics, part):
        scenery.place(physics, part, frame)
    else:
        rebuild(physics, part, frame=frame)


def carry(physics: PhysicsWorld, part: Part, solid: SolidPlan, place: Pose) -> None:
    """Move a solid to a world pose, with all bodies below it."""
    before = physics.solid_pose(solid).rigid
    for body in part.bodies:
        made = physics.handles.bodies.get(body)
        if made is None or not _is_below(body.root, solid) or _follows(body, solid):
            continue
        # The rigid motion from the old to the new pose of the solid, applied to each body below it.
        to = place.rigid @ before.relative(physics.body_pose(body))
        made.set_pose(to.position, to.orientation)


def _follows(body: BodyPlan, solid: SolidPlan) -> bool:
    """Return True for frames that the engine moves together with their carrier or joint."""
    if body.is_dynamic or body.root is solid:
        return False
    return body.carrier is not None or body.root.joint is not None


def _is_below(above: SolidPlan | None, solid: SolidPlan) -> bool:
    while above is not None:
        if above is solid:
            return True
        above = above.parent
    return False


def _is_held(part: Part) -> bool:
    """Return True if the world holds something in the part at a pose that the engine stores."""
    if any(body.pinned for body in part.bodies):
        return True
    for joint in part.joints:
        ends = ends_of(joint)
        if ends.child.is_dynamic and (ends.parent is None or not ends.parent.is_dynamic):
            return True
    return False


def _same_scale(solid: SolidPlan) -> bool:
    above = solid.frame.scale if solid.parent is None else (solid.parent.pose @ solid.frame).scale
    scale = pose_of(solid.node).scale
    return all(abs(a * s - p) < 1e-12 for a, s, p in zip(above, scale, solid.pose.scale, strict=True))


def added(physics: PhysicsWorld, node: Node) -> None:
    """Plan and build an added node: as a new part, or by rebuilding the part that contains it."""
    if _rebuild_around(physics, node):
        return
    for new in physics.planner.parts(node, frame_above(node)):
        add_part(physics, new)
    after_change(physics)


def removed(physics: PhysicsWorld, node: Node) -> None:
    """Remove a node's parts, or rebuild the part that contained it."""
    gone = [part for part in physics.plan.parts if is_inside(part.node, node)]
    for part in gone:
        remove_part(physics, part)
    if gone:
        after_change(physics)
        return
    _rebuild_around(physics, node)


def _rebuild_around(physics: PhysicsWorld, node: Node) -> bool:
    """Rebuild the part that contains a node, and those that use it. Return False if there is none."""
    above = part_above(physics, node)
    parts = ([above] if above is not None else []) + [
        part for part in parts_that_use(physics.plan, node) if part is not above
    ]
    for part in parts:
        rebuild(physics, part)
    return bool(parts)


def rebuild(
    physics: PhysicsWorld, part: Part, skipped: Node | None = None, frame: Pose | None = None
) -> None:
    """Rebuild a part from the tree, with the engine's current poses except for the solid `skipped`.

    `frame` is the new pose of the coordinate system that contains the part.
    """
    sync.write_part(physics, part, skipped)
    state = PartState(physics.handles, part)
    remove_part(physics, part)
    made = physics.planner.parts(part.node, part.frame if frame is None else frame)
    for new in made:
        add_part(physics, new)
    for new in made:
        state.give_to(physics.handles, new)
    after_change(physics)


def add_part(physics: PhysicsWorld, part: Part) -> None:
    """Build a part."""
    physics.plan.parts.append(part)
    physics.builder.add(part)
    physics.drives += [DriveController(physics.builder, drive) for drive in part.drives]


def remove_part(physics: PhysicsWorld, part: Part) -> None:
    """Remove a part from the plan and the engine."""
    physics.plan.parts.remove(part)
    physics.drives[:] = [drive for drive in physics.drives if drive.plan not in part.drives]
    physics.builder.remove(part)


def after_change(physics: PhysicsWorld) -> None:
    """Update what depends on the set of bodies: immersions, ties and cached handles."""
    fluids.connect(physics.builder, physics.plan)
    physics.ties.renew()
    physics.structure += 1


def part_of(physics: PhysicsWorld, solid: SolidPlan) -> Part:
    """Return the part that a solid belongs to."""
    return next(part for part in physics.plan.parts if solid in part.solids)


def part_above(physics: PhysicsWorld, node: Node) -> Part | None:
    """Return the part that contains a node."""
    tops = {part.node: part for part in physics.plan.parts}
    parent: Node | None = node
    while parent is not None:
        if parent.root in tops:
            return tops[parent.root]
        parent = parent.parent
    return None


def is_inside(node: Node, holder: Node) -> bool:
    """Return True if a node is `holder` or a descendant of it."""
    parent: Node | None = node
    while parent is not None:
        if parent is holder or parent is holder.root:
            return True
        parent = parent.parent
    return False


def frame_above(node: Node) -> Pose:
    """Return the pose of the coordinate system that contains a node outside of all solids."""
    return sync.frame_below(node.parent, None)


def set_velocity(physics: PhysicsWorld, node: Node, linear: Vec3 | None, angular: Vec3 | None) -> None:
    """Write the velocity fields; also set the body's velocity if the solid is its root."""
    node = node.root
    solid = physics.handles.solids.get(node)
    if solid is None:
        raise UnknownNodeError(f"{node_path(node)}: this node is not a solid of this world")
    for name, value in (("linearVelocity", linear), ("angularVelocity", angular)):
        if value is not None:
            node.field(name).value = value
    body = solid.body
    if body.root is not solid:
        if not body.is_dynamic:
            rebuild(physics, part_of(physics, solid))
        return
    physics.structure += body not in physics.handles.bodies
    made = physics.builder.body(body)
    if linear is not None:
        made.linear_velocity = linear
    if angular is not None:
        made.angular_velocity = angular


def set_joint_position(physics: PhysicsWorld, node: Node, position: float, index: int) -> None:
    """Move a joint's end point to a position within its stops, at rest."""
    plan = physics.handles.joint_plans.get(node.root)
    if plan is None or plan.child is None or not 0 <= index < len(plan.axes):
        raise UnknownNodeError(f"{node_path(node)}: this node is not a joint with an axis number {index + 1}")
    axis = plan.axes[index]
    if axis.has_stops:
        position = min(max(position, axis.min_stop), axis.max_stop)
    made = physics.handles.joints[plan.node]
    positions = list(made.positions)
    positions[index] = position
    made.positions = positions
    if not made.kinematic:
        # Put the end point where the joint's geometry places it, and everything below it at rest.
        place, turn = made.child_pose()
        target = Pose(place, turn) @ plan.child.offset
        part = part_of(physics, plan.child)
        carry(physics, part, plan.child, target)
        for body in part.bodies:
            if _is_below(body.root, plan.child) and body in physics.handles.bodies:
                physics.handles.bodies[body].reset()
    motor = made[index].motor
    if motor is not None:
        motor.reset(position)
    field = sync.position_field(plan, axis, index)
    if field is not None:
        field[0].field(field[1]).value = position


def halt(physics: PhysicsWorld, node: Node) -> None:
    """Stop a solid and everything attached to it: clear velocities, forces and motor speeds."""
    solid = physics.handles.solids.get(node.root)
    if solid is None:
        raise UnknownNodeError(f"{node_path(node)}: this node is not a solid of this world")
    part = part_of(physics, solid)
    for body in part.bodies:
        if _is_below(body.root, solid) and body in physics.handles.bodies:
            physics.handles.bodies[body].reset()
    for joint in part.joints:
        if joint.node in physics.handles.joints and _is_below(joint.child, solid):
            for axis in physics.handles.joints[joint.node].axes:
                if axis.motor is not None:
                    axis.motor.stop()
