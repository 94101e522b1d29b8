"""Move scenery: parts that the engine holds nothing of, such as robots and marks without bounding objects.

Only the plan knows their poses, so it is updated in place. Planning them anew costs milliseconds per part,
and supervisors move such parts in every step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbridge.wbcore.physics.plan import Part, SolidPlan
from wbridge.wbcore.physics.pose import Pose
from wbridge.wbcore.physics.tree import pose_of

if TYPE_CHECKING:
    from wbridge.wbcore.physics.world import PhysicsWorld


def is_scenery(physics: PhysicsWorld, part: Part) -> bool:
    """Return True if the engine holds no object of a part."""
    if part.joints or part.fluids or part.propellers or part.tracks or part.drives:
        return False
    return not any(body in physics.handles.bodies for body in part.bodies)


def place(physics: PhysicsWorld, part: Part, frame: Pose) -> None:
    """Give all solids of a part of scenery the poses in their fields.

    `frame` is the pose of the coordinate system that contains the part. Its scale stays.
    """
    part.frame = frame
    for solid in part.solids:  # parents first
        _place(solid, frame)
    physics.structure += 1  # others keep the poses of what stands until the structure changes


def _place(solid: SolidPlan, frame: Pose) -> None:
    # The products of the planner in its order, so that the bits are those of a new plan.
    if solid.parent is None:
        solid.frame = frame
        solid.pose = frame @ pose_of(solid.node)
        return
    solid.pose = solid.parent.pose @ (solid.frame @ pose_of(solid.node))
    if solid.body.root is not solid:
        solid.offset = solid.parent.offset @ solid.parent.pose.rigid_pose_of(solid.pose)
