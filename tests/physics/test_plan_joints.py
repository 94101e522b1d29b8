"""Joints of a plan: anchors, axes, limits, springs, devices, references."""

from __future__ import annotations

import math

import pytest

from tests.physics.worlds import NEW, OLDEST, part, plan
from wbridge.wbcore.physics.plan import JointPlan

SOLID = 'Solid { translation 0 0 1 boundingObject Box { size 1 1 1 } physics Physics { } name "end" }'


def holder(children: str) -> str:
    return f"Solid {{ boundingObject Box {{ size 1 1 1 }} physics Physics {{ }} children [ {children} ] }}"


def joint(text: str, header: str = NEW) -> JointPlan:
    (only,) = part(holder(text), header).joints
    return only


def test_a_hinge_with_everything():
    made = joint(f"""HingeJoint {{
      jointParameters HingeJointParameters {{
        position 0.3 axis 0 2 0 anchor 1 2 3 minStop -1 maxStop 2 springConstant 4 dampingConstant 5
        staticFriction 6 suspensionSpringConstant 7 suspensionDampingConstant 8 suspensionAxis 0 0 3
        stopERP 0.5 stopCFM 0.25 }}
      device [ RotationalMotor {{ maxVelocity 3 maxTorque 2 controlPID 5 1 0.5 acceleration 9
                                minPosition -0.5 maxPosition 1.5 multiplier 2 }}
               PositionSensor {{ }} Brake {{ }} ]
      endPoint {SOLID} }}""")
    (axis,) = made.axes
    assert (made.kind, made.anchor, made.positions) == ("hinge", (1, 2, 3), (0.3,))
    assert axis.direction == (0, 1, 0)
    assert (axis.min_stop, axis.max_stop, axis.spring, axis.damping, axis.friction) == (-1, 2, 4, 5, 6)
    assert (made.suspension.axis, made.suspension.spring, made.suspension.damping) == ((0, 0, 1), 7, 8)
    assert (made.stop_erp, made.stop_cfm) == (0.5, 0.25)
    motor = axis.motor
    assert (motor.max_velocity, motor.max_force, motor.pid, motor.acceleration) == (3, 2, (5, 1, 0.5), 9)
    assert (motor.min_position, motor.max_position, motor.multiplier) == (-0.5, 1.5, 2)
    assert axis.sensor.type == "PositionSensor"
    assert axis.brake.type == "Brake"


def test_defaults_of_joints_without_parameters():
    assert joint(f"HingeJoint {{ endPoint {SOLID} }}").axes[0].direction == (1, 0, 0)
    assert joint(f"SliderJoint {{ endPoint {SOLID} }}").axes[0].direction == (0, 0, 1)
    hinge2 = joint(f"Hinge2Joint {{ endPoint {SOLID} }}")
    assert [axis.direction for axis in hinge2.axes] == [(1, 0, 0), (0, 0, 1)]


def test_the_hidden_position_counts_without_parameters_only():
    assert joint(f"HingeJoint {{ position 0.7 endPoint {SOLID} }}").positions == (0.7,)
    given = "jointParameters HingeJointParameters { position 0.2 }"
    assert joint(f"HingeJoint {{ position 0.7 {given} endPoint {SOLID} }}").positions == (0.2,)


def test_hinge2_has_two_axes_with_their_own_devices():
    made = joint(f"""Hinge2Joint {{
      jointParameters HingeJointParameters {{ axis 0 0 1 position 0.1 }}
      jointParameters2 JointParameters {{ axis 0 1 0 position 0.2 minStop -1 maxStop 1 }}
      device RotationalMotor {{ name "one" }} device2 RotationalMotor {{ name "two" }} endPoint {SOLID} }}""")
    assert made.positions == (0.1, 0.2)
    assert [axis.direction for axis in made.axes] == [(0, 0, 1), (0, 1, 0)]
    assert [axis.motor.node.get("name") for axis in made.axes] == ["one", "two"]


def test_parallel_axes_are_replaced_and_said():
    made = plan(
        holder(f"""Hinge2Joint {{ jointParameters HingeJointParameters {{ axis 0 0 1 }}
      jointParameters2 JointParameters {{ axis 0 0 1 }} endPoint {SOLID} }}""")
    )
    assert "parallel" in next(iter(made.report)).message
    assert made.parts[0].joints[0].axes[0].direction == (1, 0, 0)


def test_ball_axes_come_from_the_second_and_third_parameters():
    made = joint(f"""BallJoint {{ jointParameters BallJointParameters {{ anchor 0 0 1 }}
      jointParameters2 JointParameters {{ axis 0 0 1 }} jointParameters3 JointParameters {{ axis 1 0 0 }}
      endPoint {SOLID} }}""")
    assert [axis.direction for axis in made.axes] == [(0, 0, 1), (0, -1, 0), (1, 0, 0)]
    default = joint(f"BallJoint {{ endPoint {SOLID} }}")
    assert [axis.direction for axis in default.axes] == [(1, 0, 0), (0, 1, 0), (0, 0, 1)]


def test_one_spring_of_a_ball_joint_acts_about_all_axes():
    made = joint(
        "BallJoint { jointParameters BallJointParameters { springConstant 3 dampingConstant 2 } "
        f"endPoint {SOLID} }}"
    )
    assert [(axis.spring, axis.damping) for axis in made.axes] == [(3, 2)] * 3


def test_contradicting_stops_are_said_and_dropped():
    text = (
        f"HingeJoint {{ jointParameters HingeJointParameters {{ minStop 1 maxStop -1 }} endPoint {SOLID} }}"
    )
    made = plan(holder(text))
    assert "minStop 1 is above maxStop -1" in next(iter(made.report)).message
    assert not made.parts[0].joints[0].axes[0].has_stops


def test_a_hinge_stop_beyond_half_a_turn_has_no_effect():
    text = (
        f"HingeJoint {{ jointParameters HingeJointParameters {{ minStop -1 maxStop 4 }} endPoint {SOLID} }}"
    )
    assert joint(text).axes[0].max_stop == math.inf


def test_the_frame_of_a_joint_inside_of_a_pose_is_that_pose():
    quarter = math.pi / 2
    made = joint(f"""Pose {{ translation 0 0 1 rotation 0 0 1 {quarter} children [ HingeJoint {{
      jointParameters HingeJointParameters {{ anchor 1 0 0 }} endPoint {SOLID} }} ] }}""")
    assert made.anchor == pytest.approx((0, 1, 1))
    assert made.axes[0].direction == pytest.approx((0, 1, 0))


def test_a_solid_reference_closes_a_loop():
    loop = 'HingeJoint { endPoint SolidReference { solidName "arm" } }'
    inner = SOLID.replace("physics", f"children [ {loop} ] physics")
    arm = SOLID.replace('"end"', '"arm"')
    made = part(holder(f"HingeJoint {{ endPoint {inner} }} HingeJoint {{ endPoint {arm} }}"))
    closing = next(one for one in made.joints if one.by_reference)
    assert closing.parent.node.get("name") == "end"
    assert closing.child.node.get("name") == "arm"


def test_a_reference_to_nothing_is_an_error_with_the_name():
    made = plan(holder('HingeJoint { endPoint SolidReference { solidName "nobody" } }'))
    (found,) = made.report.errors
    assert "no solid named 'nobody'" in found.message
    assert made.parts[0].joints == []


def test_a_reference_may_name_the_static_environment():
    made = joint('HingeJoint { endPoint SolidReference { solidName "<static environment>" } }')
    assert made.child is None


def test_limits_of_coupled_motors_follow_the_multipliers():
    def hinge(letter: str, multiplier: float, limits: str = "") -> str:
        end = SOLID.replace('"end"', f'"{letter}"')
        motor = f'RotationalMotor {{ name "m::{letter}" multiplier {multiplier} {limits} }}'
        return f"HingeJoint {{ device {motor} endPoint {end} }}"

    first = hinge("A", 2, "minPosition -1 maxPosition 2 maxVelocity 10")
    children = first + hinge("B", 0.5) + hinge("C", 4) + hinge("D", -4)
    (made,) = plan(holder(children).replace("Solid", "Robot", 1)).parts
    limits = [(m.min_position, m.max_position, m.max_velocity) for m in made.motors()]
    # The table of the manual's chapter Motor.
    assert limits == [(-1, 2, 10), (-0.25, 0.5, 2.5), (-2, 4, 20), (-4, 2, 20)]


def test_a_rotational_servo_turns_about_its_own_rotation_axis():
    text = """Servo { translation 0 0 1 rotation 0 1 0 0.5 position 0.5 maxVelocity 3 maxForce 4 controlP 7
      minStop -1 maxStop 1 springConstant 2 boundingObject Box { size 1 1 1 } physics Physics { } }"""
    made = joint(text, OLDEST)
    (axis,) = made.axes
    assert (made.kind, axis.direction, made.anchor, made.positions) == ("hinge", (0, 1, 0), (0, 0, 1), (0.5,))
    assert (axis.motor.max_velocity, axis.motor.max_force, axis.motor.pid) == (3, 4, (7, 0, 0))
    assert (axis.min_stop, axis.max_stop, axis.spring) == (-1, 1, 2)


def test_a_linear_servo_slides_along_its_rotation_axis():
    text = 'Servo { type "linear" rotation 1 0 0 0.5 boundingObject Box { size 1 1 1 } physics Physics { } }'
    made = joint(text, OLDEST)
    assert (made.kind, made.axes[0].direction) == ("slider", (1, 0, 0))
