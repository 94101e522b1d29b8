"""Two-wheeled robots: the wheels of DifferentialWheels (8.x), and robots that drive without physics.

A robot without Physics drives in a plane on two wheels: DifferentialWheels by its own fields, a Robot by two
wheels of equal radius on parallel hinges (manual 8.3.1, chapter 3.23).
"""

from __future__ import annotations

from wbridge.hal.protocol.wheels import LEFT, RIGHT
from wbridge.wbcore.physics.plan import AxisPlan, JointPlan, KinematicDrive, MotorPlan, Part, SolidPlan
from wbridge.wbcore.physics.pose import Vec3, cross, dot, length, rotate, scaled, sub
from wbridge.wbcore.physics.tree import number
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.former_types import speed_unit

UNLIMITED = 1e30
"""Maximum speed of a wheel (rad/s): as in Webots, `maxSpeed` does not limit it."""
_EQUAL = 1e-6


def is_wheel(node: Node, parent: Node) -> bool:
    """Return True for the solids that DifferentialWheels turns."""
    return parent.is_a("DifferentialWheels") and node.get("name") in (LEFT, RIGHT)


def wheel_joint(solid: SolidPlan) -> JointPlan:
    """Return the hinge of a wheel: the axle is along x, and a positive velocity drives forward, along -z.

    Neither velocity (maxSpeed is not enforced) nor acceleration is limited.
    """
    parent = solid.parent
    assert parent is not None, "a wheel has a robot"
    robot = parent.node
    origin = parent.pose.rigid.local(solid.pose.position)
    axis = AxisPlan(None, (-1.0, 0.0, 0.0), 0.0)
    if solid.has_physics:
        axis.motor = MotorPlan(
            solid.node,
            UNLIMITED,
            number(robot, "maxForce"),
            pid=(10.0, 0.0, 0.0),
            acceleration=-1.0,
            min_position=0.0,
            max_position=0.0,
            multiplier=speed_unit(robot),
        )
    return JointPlan(solid.node, "hinge", parent, solid, [axis], origin)


def find_drives(part: Part) -> None:
    """Add the drives of robots without Physics."""
    for solid in part.solids:
        if solid.has_physics or solid.parent is not None:
            continue
        if solid.node.is_a("DifferentialWheels"):
            part.drives.append(_of_fields(part, solid))
        elif solid.node.is_a("Robot"):
            found = _of_wheels(part, solid)
            if found is not None:
                part.drives.append(found)


def _of_fields(part: Part, solid: SolidPlan) -> KinematicDrive:
    node = solid.node
    own = [joint for joint in part.joints if joint.parent is solid and "name" in joint.node.spec.fields]
    wheels = {str(joint.node.get("name")): joint for joint in own}  # of solids; hinges have no name
    return KinematicDrive(
        node,
        solid,
        number(node, "wheelRadius"),
        number(node, "axleLength"),
        forward=(0.0, 0.0, -1.0),
        up=(0.0, 1.0, 0.0),
        left=wheels.get(LEFT),
        right=wheels.get(RIGHT),
        max_acceleration=number(node, "maxAcceleration"),
        slip_noise=number(node, "slipNoise"),
    )


def _of_wheels(part: Part, solid: SolidPlan) -> KinematicDrive | None:
    """Return a drive by two motorized wheels without Physics on parallel hinges, or None; x is forward, z
    up."""
    found = [(joint, radius) for joint in part.joints if (radius := _radius(joint, solid)) is not None]
    if len(found) != 2:
        return None
    (wheel, radius), (two, other) = found
    direction = wheel.axes[0].direction
    # The wheels need the same radius and parallel axes; the left one is farther along up x forward.
    if abs(radius - other) > _EQUAL or length(cross(direction, two.axes[0].direction)) > 1e-3:
        return None
    forward, up = ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    side = cross(up, forward)
    left, right = (wheel, two) if dot(wheel.anchor, side) > dot(two.anchor, side) else (two, wheel)
    axle = length(sub(wheel.anchor, two.anchor))
    return KinematicDrive(solid.node, solid, radius, axle, forward, up, left, right) if axle > 0 else None


def _radius(joint: JointPlan, solid: SolidPlan) -> float | None:
    """Return the radius of a motorized cylinder wheel of this solid whose axis is the hinge's, else None."""
    child = joint.child
    if joint.kind != "hinge" or joint.parent is not solid or child is None or child.has_physics:
        return None
    if joint.axes[0].motor is None:
        return None
    axis = joint.axes[0].direction
    for geometry in child.geometries:
        if geometry.kind == "cylinder" and _lies_along(
            geometry.offset.orientation, geometry.up, child, solid, axis
        ):
            return geometry.size[0]
    return None


def _lies_along(
    orientation: tuple[float, float, float, float], up: str, child: SolidPlan, solid: SolidPlan, axis: Vec3
) -> bool:
    stands: Vec3 = (0.0, 1.0, 0.0) if up == "y" else (0.0, 0.0, 1.0)
    in_world = child.pose.direction(rotate(orientation, stands))
    return length(cross(solid.pose.local_direction(in_world), scaled(axis, 1.0))) < 1e-3
