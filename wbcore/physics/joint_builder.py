"""Create joints in the engine: their bodies, frames, springs, stops and motors."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.plan import BodyPlan, JointPlan, MotorPlan, SolidPlan
from wbridge.wbcore.physics.pose import Pose, Vec3, scaled
from wbridge.wbcore.physics.tree import nodes_in

if TYPE_CHECKING:
    from wbridge.wbcore.physics.build import Builder


class Ends(NamedTuple):
    """The bodies of a joint as the engine expects them.

    `frame` is the pose of the parent solid in the parent body (or the world). `sign` is -1 if the two ends
    were exchanged.
    """

    child: BodyPlan
    parent: BodyPlan | None
    frame: Pose
    sign: float


def ends_of(joint: JointPlan) -> Ends:
    """Return the ends: the child must be a body with mass, unless the joint is kinematic.

    A solid without Physics on a moving body holds nothing: what is attached to it is attached to the world.
    """
    parent, child = joint.parent, joint.child
    assert parent is not None, "joints in the tree have a parent solid"
    if child is None or (joint.by_reference and not child.body.is_dynamic):
        return Ends(parent.body, None, parent.pose.rigid, -1.0)
    if not child.body.is_dynamic or _can_hold(parent):
        return Ends(child.body, parent.body, parent.offset, 1.0)
    return Ends(child.body, None, parent.pose.rigid, 1.0)


def _can_hold(parent: SolidPlan) -> bool:
    return parent.has_physics or not parent.body.is_dynamic


class JointBuilder:
    """Add joints to the engine world of a builder."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder

    def add(self, plan: JointPlan) -> None:
        """Create a joint with its springs, stops and motors.

        Raises:
            ValueError: the engine refuses a number.
        """
        b = self._builder
        ends = ends_of(plan)
        child = b.body(ends.child)
        parent = b.body(ends.parent) if ends.parent is not None else None
        made = _MAKERS[plan.kind](b.engine, plan, ends, child, parent)
        b.handles.joints[plan.node] = made
        b.handles.joint_plans[plan.node] = plan
        for engine_axis, axis in zip(made.axes, plan.axes, strict=True):
            b.handles.axes.update(dict.fromkeys(axis.devices(), engine_axis))
            if axis.has_stops:
                engine_axis.set_stops(axis.min_stop, axis.max_stop)
            engine_axis.spring_constant = axis.spring
            engine_axis.damping_constant = axis.damping
            engine_axis.static_friction = axis.friction
            engine_axis.has_brake = axis.brake is not None
            if axis.motor is not None:
                motor = engine_axis.add_motor(axis.motor.max_velocity, axis.motor.max_force)
                set_motor(motor, axis.motor)
                b.handles.motors[axis.motor.node] = motor
                if nodes_in(axis.motor.node, "muscles"):
                    made.feedback = True  # its share of the greatest force is the color of a muscle


def set_motor(motor: _engine.Motor, plan: MotorPlan) -> None:
    """Apply the limits and gains of a plan to an engine motor, at full velocity and force.

    Raises:
        ValueError: the engine refuses a number.
    """
    motor.max_velocity, motor.max_force = plan.max_velocity, plan.max_force
    motor.min_position, motor.max_position = plan.min_position, plan.max_position
    motor.multiplier = plan.multiplier
    motor.set_pid(*plan.pid)
    motor.set_acceleration(plan.acceleration)
    motor.reset(motor.position)


def _axis(plan: JointPlan, ends: Ends, index: int) -> Vec3:
    # Exchanged ends turn the axis around, so that positions keep their sign.
    return scaled(ends.frame.direction(plan.axes[index].direction), ends.sign)


def _hinge(
    engine: _engine.World, plan: JointPlan, ends: Ends, child: _engine.Body, parent: _engine.Body | None
) -> _engine.Joint:
    spring, damping, axis = _suspension(plan, ends)
    return engine.add_hinge(
        child,
        parent,
        anchor=ends.frame.point(plan.anchor),
        axis=_axis(plan, ends, 0),
        position=plan.axes[0].position,
        suspension_spring=spring,
        suspension_damping=damping,
        suspension_axis=axis,
        stop_erp=plan.stop_erp,
        stop_cfm=plan.stop_cfm,
    )


def _hinge2(
    engine: _engine.World, plan: JointPlan, ends: Ends, child: _engine.Body, parent: _engine.Body | None
) -> _engine.Joint:
    spring, damping, axis = _suspension(plan, ends)
    return engine.add_hinge2(
        child,
        parent,
        anchor=ends.frame.point(plan.anchor),
        axis=_axis(plan, ends, 0),
        axis2=_axis(plan, ends, 1),
        position=plan.axes[0].position,
        position2=plan.axes[1].position,
        suspension_spring=spring,
        suspension_damping=damping,
        suspension_axis=axis,
        stop_erp=plan.stop_erp,
        stop_cfm=plan.stop_cfm,
    )


def _slider(
    engine: _engine.World, plan: JointPlan, ends: Ends, child: _engine.Body, parent: _engine.Body | None
) -> _engine.Joint:
    return engine.add_slider(child, parent, axis=_axis(plan, ends, 0), position=plan.axes[0].position)


def _ball(
    engine: _engine.World, plan: JointPlan, ends: Ends, child: _engine.Body, parent: _engine.Body | None
) -> _engine.Joint:
    return engine.add_ball(
        child,
        parent,
        anchor=ends.frame.point(plan.anchor),
        axis=_axis(plan, ends, 0),
        axis3=_axis(plan, ends, 2),
        positions=plan.positions,
    )


def _suspension(plan: JointPlan, ends: Ends) -> tuple[float, float, Vec3]:
    found = plan.suspension
    kinematic = not ends.child.is_dynamic
    if found is None or kinematic:
        return 0.0, 0.0, (1.0, 0.0, 0.0)
    return found.spring, found.damping, ends.frame.direction(found.axis)


_MAKERS = {"hinge": _hinge, "hinge2": _hinge2, "slider": _slider, "ball": _ball}
