"""Translate Joint and Servo nodes into joint plans: axes, limits, springs, devices, references."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from wbridge.wbcore.physics.plan import AxisPlan, JointPlan, MotorPlan, Part, SolidPlan, Suspension
from wbridge.wbcore.physics.pose import Pose, Vec3, cross, length, rotate, times, unit
from wbridge.wbcore.physics.tree import node_in, nodes_in, number
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.device_tables import JOINT_LISTS

if TYPE_CHECKING:
    from wbridge.wbcore.physics.planner import Planner

X: Vec3 = (1.0, 0.0, 0.0)
Z: Vec3 = (0.0, 0.0, 1.0)
STATIC_ENVIRONMENT = "<static environment>"
_KINDS = {"Hinge2Joint": "hinge2", "HingeJoint": "hinge", "SliderJoint": "slider", "BallJoint": "ball"}
_PARALLEL = 1e-3


def end_point(node: Node) -> Node | None:
    """Return the end of a joint or slot, through any connected slots; None if it is open."""
    found = node_in(node, "endPoint")
    while found is not None and found.is_a("Slot"):
        found = node_in(found, "endPoint")
    return found


def plan_joint(planner: Planner, node: Node, frame: Pose, parent: SolidPlan) -> JointPlan:
    """Plan a Joint node; `frame` is the pose of its coordinate system in the parent solid."""
    kind = next(name for base, name in _KINDS.items() if node.is_a(base))
    holders = [node_in(node, name) for name in ("jointParameters", "jointParameters2", "jointParameters3")]
    axes = [
        _axis(planner, node, holders[i], i, direction)
        for i, direction in enumerate(_DIRECTIONS[kind](planner, node, holders))
    ]
    if kind == "ball":
        _limit_ball(node, axes, holders)
    # The fields are in the joint's own coordinate system; the plan has them in the parent solid's frame.
    scale = parent.pose.scale
    for axis in axes:
        axis.direction = rotate(frame.orientation, axis.direction)
    first = holders[0]
    anchor = first.get("anchor") if first is not None and "anchor" in first.spec.fields else (0.0, 0.0, 0.0)
    made = JointPlan(node, kind, parent, None, axes, times(scale, frame.point(anchor)))
    if kind in ("hinge", "hinge2") and first is not None:
        made.stop_erp, made.stop_cfm = number(first, "stopERP", -1.0), number(first, "stopCFM", -1.0)
        made.suspension = _suspension(planner, first, frame)
    return made


def _directions_one(planner: Planner, node: Node, holders: list[Node | None]) -> list[Vec3]:
    default = Z if node.is_a("SliderJoint") else X
    return [_direction(planner, holders[0], default)]


def _directions_hinge2(planner: Planner, node: Node, holders: list[Node | None]) -> list[Vec3]:
    first, second = _direction(planner, holders[0], X), _direction(planner, holders[1], Z)
    # A universal joint needs two independent axes.
    if length(cross(first, second)) < _PARALLEL:
        planner.warn("parallel-axes", node, "its two axes are parallel; the axes x and z are used")
        return [X, Z]
    return [first, second]


def _directions_ball(planner: Planner, node: Node, holders: list[Node | None]) -> list[Vec3]:
    """Return the axes of a ball joint: axis 1 is in jointParameters2, axis 3 in jointParameters3.

    If one is missing, it is perpendicular to the other.
    """
    second, third = holders[1], holders[2]
    if second is None and third is None:
        first, last = X, Z
    elif third is None:
        first = _direction(planner, second, X)
        last = unit(cross(first, Z)) or X
    elif second is None:
        last = _direction(planner, third, Z)
        first = unit(cross(X, last)) or Z
    else:
        first, last = _direction(planner, second, X), _direction(planner, third, Z)
    if length(cross(first, last)) < _PARALLEL:
        planner.warn("parallel-axes", node, "its axes are parallel; the axes x and z are used")
        first, last = X, Z
    # Euler angles: the second axis is perpendicular to the outer two.
    return [first, cross(last, first), last]


_DIRECTIONS = {
    "hinge": _directions_one,
    "slider": _directions_one,
    "hinge2": _directions_hinge2,
    "ball": _directions_ball,
}


def _direction(planner: Planner, holder: Node | None, default: Vec3) -> Vec3:
    if holder is None or "axis" not in holder.spec.fields:
        return default
    given: Vec3 = holder.get("axis")
    found = unit(given)
    if found is None:
        x, y, z = given
        planner.warn("axis", holder, f"axis {x:g} {y:g} {z:g} has no direction; the default is used")
        return default
    return found


def _axis(planner: Planner, joint: Node, holder: Node | None, index: int, direction: Vec3) -> AxisPlan:
    """Plan one axis with its parameters and devices.

    The `position` of the parameters takes precedence over the joint's hidden field.
    """
    has_position = holder is not None and "position" in holder.spec.fields
    hidden = "position" if index == 0 else f"position{index + 1}"
    position = number(holder, "position") if has_position else number(joint, hidden)
    made = AxisPlan(
        holder,
        direction,
        position,
        min_stop=number(holder, "minStop"),
        max_stop=number(holder, "maxStop"),
        spring=abs(number(holder, "springConstant")),
        damping=abs(number(holder, "dampingConstant")),
        friction=abs(number(holder, "staticFriction")),
    )
    _check_stops(planner, holder, joint.is_a("SliderJoint"), made)
    made.motor, made.sensor, made.brake = devices(joint, JOINT_LISTS[index])
    return made


def _check_stops(planner: Planner, holder: Node | None, linear: bool, axis: AxisPlan) -> None:
    """Drop stops that contradict each other, and a hinge's stops beyond half a turn."""
    low, high = axis.min_stop, axis.max_stop
    if holder is not None and low > high:
        planner.warn("stops", holder, f"minStop {low:g} is above maxStop {high:g}; the stops are not used")
    axis.min_stop, axis.max_stop = effective_stops(low, high, linear)


def effective_stops(low: float, high: float, linear: bool) -> tuple[float, float]:
    """Return minStop and maxStop (rad; m if the axis is linear) as they act; equal values mean none."""
    if low >= high:
        return 0.0, 0.0
    # ODE's stops of a hinge work only within -pi to pi (ODE manual, dParamLoStop).
    if not linear:
        low = low if low > -math.pi else -math.inf
        high = high if high < math.pi else math.inf
    return low, high


def _limit_ball(node: Node, axes: list[AxisPlan], holders: list[Node | None]) -> None:
    """Apply a single spring about all axes, and limit the second angle to a quarter turn."""
    if holders[1] is None and holders[2] is None:
        for axis in axes[1:]:
            axis.spring, axis.damping = axes[0].spring, axes[0].damping
    motor = axes[1].motor
    # At +-pi/2 of the second Euler angle, the outer axes are parallel (gimbal lock).
    if motor is not None:
        low, high = motor.min_position, motor.max_position
        limited = low != high
        motor.min_position = max(low, -math.pi / 2) if limited else -math.pi / 2
        motor.max_position = min(high, math.pi / 2) if limited else math.pi / 2


def _suspension(planner: Planner, holder: Node, frame: Pose) -> Suspension | None:
    spring, damping = (abs(number(holder, f"suspension{axis}Constant")) for axis in ("Spring", "Damping"))
    if spring == 0 and damping == 0:
        return None
    given: Vec3 = holder.get("suspensionAxis")
    axis = unit(given)
    if axis is None:
        planner.warn("axis", holder, "suspensionAxis has no direction; the default is used")
        axis = X
    return Suspension(rotate(frame.orientation, axis), spring, damping)


def devices(holder: Node, field: str) -> tuple[MotorPlan | None, Node | None, Node | None]:
    """Return the first motor, position sensor and brake of a device list."""
    motor: MotorPlan | None = None
    sensor: Node | None = None
    brake: Node | None = None
    for end in (each.root for each in nodes_in(holder, field)):
        if end.is_a("Motor") and motor is None:
            motor = plan_motor(end)
        elif end.is_a("PositionSensor") and sensor is None:
            sensor = end
        elif end.is_a("Brake") and brake is None:
            brake = end
    return motor, sensor, brake


def plan_motor(node: Node) -> MotorPlan:
    """Plan a motor with the limits of its own fields."""
    pid: Vec3 = node.get("controlPID")
    acceleration = number(node, "acceleration")
    return MotorPlan(
        node,
        max_velocity=abs(number(node, "maxVelocity")),
        max_force=abs(number(node, "maxForce" if node.is_a("LinearMotor") else "maxTorque")),
        pid=pid,
        acceleration=acceleration if acceleration >= 0 else -1.0,
        min_position=number(node, "minPosition"),
        max_position=number(node, "maxPosition"),
        multiplier=number(node, "multiplier", 1.0) or 1.0,
    )


def servo(solid: SolidPlan) -> JointPlan:
    """Return the joint that a Servo of Webots 8 is: about or along its rotation axis, at its origin."""
    node, parent = solid.node, solid.parent
    assert parent is not None, "a Servo at the top of a world is not a joint"
    x, y, z, _ = node.get("rotation")
    direction = rotate(solid.frame.orientation, unit((x, y, z)) or Z)
    linear = node.get("type") == "linear"
    origin = parent.pose.rigid.local(solid.pose.position)
    axis = AxisPlan(
        node,
        direction,
        number(node, "position"),
        min_stop=number(node, "minStop"),
        max_stop=number(node, "maxStop"),
        spring=abs(number(node, "springConstant")),
        damping=abs(number(node, "dampingConstant")),
        friction=abs(number(node, "staticFriction")),
    )
    acceleration = number(node, "acceleration")
    axis.motor = MotorPlan(
        node,
        abs(number(node, "maxVelocity")),
        abs(number(node, "maxForce")),
        (number(node, "controlP"), 0.0, 0.0),
        acceleration if acceleration >= 0 else -1.0,
        number(node, "minPosition"),
        number(node, "maxPosition"),
    )
    return JointPlan(node, "slider" if linear else "hinge", parent, solid, [axis], origin)


def resolve_references(planner: Planner, part: Part) -> None:
    """Find the solids that SolidReferences name; drop joints whose solid is missing."""
    kept: list[JointPlan] = []
    for joint in part.joints:
        if not joint.by_reference or _resolve(planner, part, joint):
            kept.append(joint)
    part.joints[:] = kept


def _resolve(planner: Planner, part: Part, joint: JointPlan) -> bool:
    reference = end_point(joint.node)
    name = str(reference.get("solidName")) if reference is not None else ""
    parent = joint.parent
    assert parent is not None, "joints in the tree have a parent solid"
    if not name:
        return False
    if name != STATIC_ENVIRONMENT:
        joint.child = next((solid for solid in part.solids if solid.node.get("name") == name), None)
        if joint.child is None:
            planner.refuse(
                "solid-reference",
                joint.node,
                f"no solid named '{name}' in this model; the joint is not used",
            )
            return False
    bodies = (parent.body, joint.child.body if joint.child is not None else None)
    if not any(body is not None and body.is_dynamic for body in bodies):
        planner.warn(
            "solid-reference", joint.node, "neither of the solids it connects has Physics; it has no effect"
        )
        return False
    if bodies[0] is bodies[1]:
        planner.warn(
            "solid-reference", joint.node, "the solids it connects are parts of one body; it has no effect"
        )
        return False
    return True
