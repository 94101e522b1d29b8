"""Translate Fluid, Propeller and Track nodes into plans."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbridge.wbcore.physics.joints import devices, plan_motor
from wbridge.wbcore.physics.plan import FluidPlan, PropellerPlan, SolidPlan, TrackPlan
from wbridge.wbcore.physics.pose import Pose, Vec3, rotate, times, unit
from wbridge.wbcore.physics.tree import node_in, number, pose_of
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.device_tables import TRACK_LISTS

if TYPE_CHECKING:
    from wbridge.wbcore.physics.planner import Planner


def fluid(planner: Planner, node: Node, frame: Pose) -> FluidPlan:
    """Plan a Fluid (manual, chapter 3.29); meshes and height fields have no defined surface and are
    skipped."""
    pose = frame @ pose_of(node)
    geometries = planner.bounding.geometries(node, pose.scale)
    fit = [geometry for geometry in geometries if geometry.kind not in ("mesh", "heightfield")]
    if len(fit) < len(geometries):
        planner.warn(
            "fluid", node, "a fluid's bounding object may contain only boxes, round shapes and planes"
        )
    density = number(node, "density")
    if density < 0:
        planner.warn("fluid", node, f"a fluid's density is {density:g}; allowed: 0 or more; 1000 is used")
    return FluidPlan(
        node,
        str(node.get("name")),
        pose.rigid,
        fit,
        density if density >= 0 else 1000.0,
        number(node, "viscosity"),
        node.get("streamVelocity"),
    )


def propeller(node: Node, frame: Pose, solid: SolidPlan) -> PropellerPlan:
    """Plan a Propeller (manual, chapter 3.55); axis and center are in the solid's frame."""
    given: Vec3 = node.get("shaftAxis")
    motor = node_in(node, "device")
    return PropellerPlan(
        node,
        solid,
        rotate(frame.orientation, unit(given) or (1.0, 0.0, 0.0)),
        times(solid.pose.scale, frame.point(node.get("centerOfThrust"))),
        node.get("thrustConstants"),
        node.get("torqueConstants"),
        plan_motor(motor) if motor is not None and motor.is_a("Motor") else None,
    )


def track(solid: SolidPlan) -> TrackPlan:
    """Plan a Track (manual, chapter 3.71). Before V8.2 its device list was called `motor`."""
    node = solid.node
    motor, sensor, brake = None, None, None
    for name in TRACK_LISTS:
        found = devices(node, name)
        motor, sensor, brake = motor or found[0], sensor or found[1], brake or found[2]
    return TrackPlan(node, solid, motor, sensor, brake)
