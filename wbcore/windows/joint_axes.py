"""The joints that carry solids: pages draw their limits, and drag the solids along them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.build import as_pose
from wbridge.wbcore.physics.mount import solid_frame
from wbridge.wbcore.physics.plan import SolidPlan
from wbridge.wbcore.physics.pose import IDENTITY, Pose, Vec3, dot, rotate, rotation_between
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.simulation import Simulation

KINDS = ("hinge", "slider")
UP: Vec3 = (0.0, 0.0, 1.0)


class JointAxis(NamedTuple):
    """The only axis of the joint that carries a solid."""

    parameters: Node
    """Has the field `position`."""
    kind: str
    """One of `KINDS`."""
    carrier: _engine.Body | None
    """The body that carries the joint; None: it stands in the world."""
    frame: Pose
    """In the carrier or the world: at the anchor, with z along the axis."""
    direction: Vec3
    """Unit vector in the world."""
    position: float
    """rad or m."""
    range: tuple[float, float] | None
    """Of the position; None: without stops."""

    def moved(self, way: Vec3, turn: Vec3) -> float:
        """Return the position after a way (m, world) or a turn (rad times axis), within the range."""
        position = self.position + dot(self.direction, turn if self.kind == "hinge" else way)
        low, high = self.range or (position, position)
        return min(max(position, low), high)

    def shown(self) -> Mapping[str, object]:
        """Return what pages draw: kind, place (see `located`), position, range."""
        place = located(self.carrier, self.frame)
        return {**place, "kind": self.kind, "position": round(self.position, 6), "range": self.range}


def located(carrier: _engine.Body | None, frame: Pose) -> Mapping[str, object]:
    """Return where something is, for pages.

    Args:
        carrier: the body that moves it; None: it stands still.
        frame: its place in the carrier, or in the world.

    Returns:
        carrier: the body's number, or null; frame; place: in the world (m, quaternion w x y z), for pages
        that do not show the body.
    """
    places = {"frame": frame, "place": frame if carrier is None else as_pose(carrier) @ frame}
    numbers = {name: [round(x, 6) for x in (*one.position, *one.orientation)] for name, one in places.items()}
    return {"carrier": int(carrier.id) if carrier is not None else None, **numbers}


def joint_axis(simulation: Simulation, solid: SolidPlan) -> JointAxis | None:
    """Return the axis of the joint that carries a solid; None if it has no single axis with a position."""
    joints = simulation.physics.handles.joint_plans.values()
    plan = next((joint for joint in joints if joint.child is solid and joint.kind in KINDS), None)
    if plan is None or plan.by_reference or (parameters := plan.axes[0].parameters) is None:
        return None
    axis = plan.axes[0]
    carrier, place = solid_frame(simulation.physics, plan.parent)
    frame = place @ Pose(plan.anchor, rotation_between(UP, axis.direction))
    body = as_pose(carrier) if carrier is not None else IDENTITY
    return JointAxis(
        parameters,
        plan.kind,
        carrier,
        frame.rigid,
        rotate((body @ frame).orientation, UP),
        simulation.physics.handles.joints[plan.node].positions[0],
        (axis.min_stop, axis.max_stop) if axis.has_stops else None,
    )
