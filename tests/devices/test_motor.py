"""Motors against the formulas of the manual (chapter Motor), commanded by the real client."""

from __future__ import annotations

import logging
import math
import struct

import pytest

from tests.devices.joints import (
    BODY,
    FREE,
    STEP_S,
    devices,
    end,
    hinge,
    manual_law,
    ready,
    slider,
    trace,
)
from tests.devices.rig import rig

INFINITY = math.inf


@pytest.mark.parametrize("joint", [hinge, slider])
@pytest.mark.parametrize(
    ("pid", "velocity", "acceleration"),
    [
        ((10, 0, 0), 10, -1),
        ((10, 0, 0), 1, -1),
        ((10, 0, 0), 10, 3),
        ((8, 2, 0), 10, -1),
        ((8, 0, 0.05), 4, 50),
    ],
)
def test_position_control_follows_the_manual_s_algorithm(joint, pid, velocity, acceleration):
    made = ready(joint())
    motor = made["m"]
    motor.set_control_pid(*pid)
    motor.set_velocity(velocity)
    motor.set_acceleration(acceleration)
    motor.set_position(1.5)
    wanted = manual_law(1.5, 60, pid, velocity, acceleration)
    # A body that turns fast turns a little less in each step than the joint is told (0.2 % at 10 rad/s).
    assert trace(made, 60) == pytest.approx(wanted, rel=3e-3)


def test_gains_and_limits_of_the_node_are_those_at_the_start():
    made = ready(hinge(motor="maxTorque 1000 maxVelocity 2 acceleration 5 controlPID 5 0 0"))
    made["m"].set_position(1)
    assert trace(made, 40) == pytest.approx(manual_law(1, 40, (5, 0, 0), 2, 5), abs=1e-3)
    motor = made["m"]
    assert (motor.get_max_velocity(), motor.get_velocity(), motor.get_acceleration()) == (2, 2, 5)
    assert (motor.get_max_torque(), motor.get_available_torque()) == (1000, 1000)


@pytest.mark.parametrize("velocity", [3.0, -3.0])
def test_an_infinite_position_means_velocity_control(velocity):
    made = ready(hinge())
    made["m"].set_position(INFINITY)
    made["m"].set_velocity(velocity)
    assert trace(made, 50) == pytest.approx([velocity * STEP_S * (i + 1) for i in range(50)], rel=1e-3)


def test_turns_are_counted():
    made = ready(hinge())
    made["m"].set_position(INFINITY)
    made["m"].set_velocity(10)
    assert trace(made, 200)[-1] == pytest.approx(32, rel=3e-3)


def test_a_force_accelerates_by_itself_over_the_mass():
    made = ready(slider())
    made["m"].set_force(12)  # 6 kg
    positions = trace(made, 50)
    assert (positions[-1] - positions[-2]) / STEP_S == pytest.approx(2 * 50 * STEP_S, rel=1e-4)


def test_a_torque_accelerates_by_itself_over_the_inertia_until_a_position_is_set():
    made = ready(hinge())
    made["m"].set_torque(0.5)  # 1 kg m^2
    positions = trace(made, 50)
    assert (positions[-1] - positions[-2]) / STEP_S == pytest.approx(0.5 * 50 * STEP_S, rel=1e-4)
    made["m"].set_position(0)
    assert trace(made, 200)[-1] == pytest.approx(0, abs=1e-3)


def test_a_force_is_cut_to_what_is_available():
    made = ready(slider(motor="maxForce 6"))
    made["m"].set_force(100)
    positions = trace(made, 20)
    assert (positions[-1] - positions[-2]) / STEP_S == pytest.approx(20 * STEP_S, rel=1e-4)


def test_the_available_force_limits_the_acceleration():
    made = ready(slider())
    made["m"].set_available_force(3)
    made["m"].set_position(INFINITY)
    made["m"].set_velocity(10)
    positions = trace(made, 20)
    assert (positions[-1] - positions[-2]) / STEP_S == pytest.approx(0.5 * 20 * STEP_S, rel=1e-4)


def test_without_available_force_nothing_drives():
    made = ready(hinge())
    made["m"].set_available_torque(0)
    made["m"].set_position(1)
    assert trace(made, 10)[-1] == 0


def test_targets_are_cut_to_the_soft_limits_with_one_warning(caplog):
    made = ready(hinge(motor="maxTorque 1000 minPosition -0.5 maxPosition 0.5"))
    with caplog.at_level(logging.WARNING):
        for target in (2, 3, 4):
            made["m"].set_position(target)
            made.step(100)
    assert made["m sensor"].get_value() == pytest.approx(0.5, abs=1e-3)
    assert len([one for one in caplog.messages if "target position" in one]) == 1


def test_velocities_are_cut_to_the_maximum_with_one_warning(caplog):
    made = ready(hinge(motor="maxTorque 1000 maxVelocity 2"))
    made["m"].set_position(INFINITY)
    with caplog.at_level(logging.WARNING):
        for velocity in (5, 6):
            made["m"].set_velocity(velocity)
            positions = trace(made, 5)
    assert (positions[-1] - positions[-2]) / STEP_S == pytest.approx(2, rel=1e-3)
    assert len([one for one in caplog.messages if "velocity" in one]) == 1


def test_the_multiplier_applies_to_positions_velocities_and_forces():
    made = ready(hinge(motor="maxTorque 1000 multiplier 2"))
    made["m"].set_position(0.5)
    assert trace(made, 200)[-1] == pytest.approx(1, abs=1e-3)
    made["m"].set_position(INFINITY)
    made["m"].set_velocity(1)
    positions = trace(made, 3)
    assert (positions[-1] - positions[-2]) / STEP_S == pytest.approx(2, rel=1e-3)
    assert made["m"].get_multiplier() == 2


# Coupled motors.

A, B = ("set::a", 2.0), ("set::b", -4.0)


def coupled() -> str:
    limits = "minPosition -1 maxPosition 2 maxVelocity 10"
    others = "minPosition -4 maxPosition 2 maxVelocity 20"
    return hinge(A[0], f"maxTorque 1000 multiplier {A[1]} {limits}") + hinge(
        B[0], f"maxTorque 1000 multiplier {B[1]} {others}"
    )


@pytest.mark.parametrize("commanded", [A[0], B[0]])
def test_coupled_motors_take_each_command_by_their_multipliers(commanded):
    made = rig(coupled(), info=FREE)
    made.enable("set::a sensor", "set::b sensor")
    made[commanded].set_position(0.25)
    made.step(200)
    assert made["set::a sensor"].get_value() == pytest.approx(0.5, abs=1e-3)
    assert made["set::b sensor"].get_value() == pytest.approx(-1, abs=1e-3)


def test_limits_of_coupled_motors_follow_from_the_first():
    wrong = "minPosition -9 maxPosition 9 maxVelocity 3"
    made = rig(
        hinge("c::a", "multiplier 2 minPosition -1 maxPosition 2 maxVelocity 10")
        + hinge("c::b", f"multiplier -4 {wrong}")
    )
    motor = made["c::b"]
    assert (motor.get_min_position(), motor.get_max_position(), motor.get_max_velocity()) == (-4, 2, 20)


def test_coupled_torques_are_relayed_and_cut_in_silence(caplog):
    made = rig(hinge("c::a", "maxTorque 1") + hinge("c::b", "maxTorque 100"), info=FREE)
    made.enable("c::a sensor", "c::b sensor")
    with caplog.at_level(logging.WARNING):
        made["c::b"].set_torque(4)
        made.step(20)
    assert caplog.messages == []
    ratio = made["c::b sensor"].get_value() / made["c::a sensor"].get_value()
    assert ratio == pytest.approx(4, rel=1e-3)


# The measured force.

BOTH = "physics Physics { density -1 mass 60 } boundingObject Box { size 1 1 1 }"


def test_the_force_feedback_is_the_force_of_the_motor():
    made = rig(slider(motor="maxForce 7"), fields=BOTH, info=FREE)
    made["m"].enable_force_feedback(2 * made.period)
    made["m"].set_position(INFINITY)
    made["m"].set_velocity(10)
    made.step()
    assert math.isnan(made["m"].get_force_feedback())
    made.step()
    assert made["m"].get_force_feedback() == pytest.approx(7, rel=1e-6)


def test_the_torque_feedback_has_the_sign_of_the_motion():
    made = rig(hinge(motor="maxTorque 2"), fields=BOTH, info=FREE)
    made["m"].enable_torque_feedback(made.period)
    made["m"].set_position(INFINITY)
    made["m"].set_velocity(-10)
    made.step(3)
    assert made["m"].get_torque_feedback() == pytest.approx(-2, rel=1e-6)


def test_forces_of_force_control_are_not_measured():
    made = rig(slider(), fields=BOTH, info=FREE)
    made["m"].enable_force_feedback(made.period)
    made["m"].set_force(3)
    made.step(3)
    assert made["m"].get_force_feedback() == pytest.approx(0, abs=1e-9)


def test_feedback_needs_physics_on_both_sides(caplog):
    made = rig(slider())
    with caplog.at_level(logging.WARNING):
        made["m"].enable_force_feedback(made.period)
        made.step(2)
    assert made["m"].get_force_feedback() == 0
    assert any("the solid that holds the joint must have a Physics node" in one for one in caplog.messages)


def test_feedback_survives_a_change_that_builds_the_robot_anew():
    made = rig(
        slider(motor="maxForce 7", body="boundingObject DEF BOX Box { size 1 1 1 } " + BOTH.split("b")[0]),
        fields=BOTH,
        info=FREE,
    )
    made["m"].enable_force_feedback(made.period)
    made["m"].set_position(INFINITY)
    made.step(2)
    made.set("BOX", "size", (0.5, 0.5, 0.5))
    made.step()
    assert made["m"].get_force_feedback() == pytest.approx(7, rel=1e-6)


# What is asked and told.


def test_devices_of_a_joint_find_each_other():
    made = rig(hinge("a") + slider("b"))
    assert made["a"].get_position_sensor() == made["a sensor"].tag
    assert made["b"].get_brake() == made["b brake"].tag
    assert made["b sensor"].get_motor() == made["b"].tag
    assert made["a brake"].get_motor() == made["a"].tag
    assert [made[one].get_type() for one in ("a", "b", "a sensor", "b brake")] == [0, 1, 0, 1]


def test_a_joint_with_a_motor_only_has_no_other_devices():
    made = rig(f'HingeJoint {{ device RotationalMotor {{ name "m" }} {end("m")} }}')
    assert (made["m"].get_position_sensor(), made["m"].get_brake()) == (0, 0)


def test_changed_fields_are_told():
    text = hinge(motor="maxTorque 1000").replace("RotationalMotor {", "DEF M RotationalMotor {")
    made = ready(text)
    made.set("M", "maxVelocity", 3.0)
    made.set("M", "minPosition", -0.2)
    made.set("M", "maxPosition", 0.3)
    made.step()
    motor = made["m"]
    assert (motor.get_max_velocity(), motor.get_min_position(), motor.get_max_position()) == (3, -0.2, 0.3)
    motor.set_position(1)
    assert trace(made, 100)[-1] == pytest.approx(0.3, abs=1e-3)


@pytest.mark.parametrize("value", [math.nan, INFINITY, -INFINITY])
def test_numbers_that_are_none_change_nothing(value, caplog):
    made = ready(hinge())
    model = made.model("m")
    block = b"".join(code.to_bytes(2, "little") + struct.pack("<d", value) for code in (2, 3, 4, 6))
    with caplog.at_level(logging.WARNING):
        model.take(block)
    assert trace(made, 3)[-1] == 0
    assert len(caplog.messages) == 4 - (value == INFINITY)


# Joints of other kinds.


def test_both_axes_of_a_hinge2_are_driven():
    made = rig(
        "Hinge2Joint { jointParameters HingeJointParameters { axis 0 0 1 } "
        "jointParameters2 JointParameters { axis 1 0 0 } "
        f"device [ {devices('one', 'maxTorque 1000')} ] device2 [ {devices('two', 'maxTorque 1000')} ] "
        f"{end('m')} }}",
        info=FREE,
    )
    made.enable("one sensor", "two sensor")
    made["one"].set_position(0.5)
    made["two"].set_position(-0.25)
    made.step(200)
    assert made["one sensor"].get_value() == pytest.approx(0.5, abs=1e-3)
    assert made["two sensor"].get_value() == pytest.approx(-0.25, abs=1e-3)


def test_three_axes_of_a_ball_are_driven_and_the_second_within_a_quarter_turn():
    made = rig(
        "BallJoint { jointParameters BallJointParameters { } "
        "jointParameters2 JointParameters { axis 1 0 0 } jointParameters3 JointParameters { axis 0 0 1 } "
        f"device [ {devices('one', 'maxTorque 1000')} ] device2 [ {devices('two', 'maxTorque 1000')} ] "
        f"device3 [ {devices('three', 'maxTorque 1000')} ] {end('m')} }}",
        info=FREE,
    )
    made.enable("one sensor", "two sensor", "three sensor")
    for name, target in (("one", 0.3), ("two", 0.2), ("three", -0.4)):
        made[name].set_position(target)
    made.step(300)
    found = [made[f"{name} sensor"].get_value() for name in ("one", "two", "three")]
    assert found == pytest.approx([0.3, 0.2, -0.4], abs=0.01)
    limits = made["two"].get_min_position(), made["two"].get_max_position()
    assert limits == pytest.approx((-math.pi / 2, math.pi / 2))


def test_a_joint_without_physics_accelerates_by_the_maximum_torque():
    made = ready(hinge(motor="maxTorque 5", body="boundingObject Box { }"))
    made["m"].set_position(INFINITY)
    made["m"].set_velocity(1)
    positions, speed, wanted = trace(made, 30), 0.0, [0.0]
    for _ in range(30):
        speed = min(1, speed + 5 * STEP_S)
        wanted.append(wanted[-1] + speed * STEP_S)
    assert positions == pytest.approx(wanted[1:], abs=1e-9)


def test_a_force_on_a_joint_without_physics_is_told(caplog):
    made = ready(hinge(body="boundingObject Box { }"))
    with caplog.at_level(logging.WARNING):
        made["m"].set_torque(1)
        made.step()
    assert any("has no Physics" in one for one in caplog.messages)


def test_a_joint_without_an_end_point_moves_its_position():
    made = ready(hinge(motor="maxTorque 5", body=""))
    made["m"].set_position(0.2)
    assert trace(made, 100)[-1] == pytest.approx(0.2, abs=1e-6)
    made.simulation.reset()
    made.step()
    assert made["m sensor"].get_value() == 0


def test_a_motor_of_a_track_moves_its_belt():
    made = ready(
        f'Track {{ name "t" boundingObject Box {{ }} device [ {devices("m", "", "LinearMotor")} ] }}',
        fields=BOTH,
    )
    made["m"].set_position(INFINITY)
    made["m"].set_velocity(0.5)
    assert trace(made, 10)[-1] == pytest.approx(0.5 * 10 * STEP_S)
    assert made["m"].get_type() == 1


def test_a_motor_of_a_propeller_drives_it(caplog):
    made = rig(
        "Propeller { shaftAxis 0 0 1 thrustConstants 1 0 torqueConstants 0 0 "
        'device RotationalMotor { name "m" } }',
        fields=BOTH,
        info=FREE,
    )
    made["m"].set_position(INFINITY)
    made["m"].set_velocity(4)
    made.step(100)
    (propeller,) = made.simulation.physics.handles.propellers.values()
    assert propeller.thrust == pytest.approx(16, rel=0.1)
    with caplog.at_level(logging.WARNING):
        made["m"].enable_torque_feedback(made.period)
        made.step(2)
    assert made["m"].get_torque_feedback() == 0
    assert any("force feedback is not available" in one for one in caplog.messages)


# A run that is changed or begins anew.


def test_commands_outlive_a_change_that_builds_the_robot_anew():
    made = ready(hinge(body="boundingObject DEF BOX Box { size 1 1 1 } physics Physics { }"))
    made["m"].set_position(1)
    made.step(3)
    made.set("BOX", "size", (0.5, 0.5, 0.5))
    assert trace(made, 100)[-1] == pytest.approx(1, abs=1e-2)
    made["m"].set_position(0)
    assert trace(made, 100)[-1] == pytest.approx(0, abs=1e-2)


def test_a_reset_takes_commands_back():
    made = ready(hinge())
    made["m"].set_position(1)
    made.step(20)
    made.simulation.reset()
    assert trace(made, 5)[-1] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("rebuilt", [False, True])
def test_commands_act_after_a_reset(rebuilt):
    made = ready(hinge(body="boundingObject DEF BOX Box { size 1 1 1 } physics Physics { }"))
    if rebuilt:
        made.set("BOX", "size", (0.5, 0.5, 0.5))
    made.step()
    made.simulation.reset()
    made["m"].set_position(1)
    assert trace(made, 150)[-1] == pytest.approx(1, abs=1e-2)


def test_a_body_has_the_stated_mass():
    made = ready(slider(body=BODY))
    body, _ = made.simulation.physics.carrier(
        made.simulation.robots.list[0].devices[0].place.holder.get("endPoint")
    )
    assert body.mass.mass == pytest.approx(6)
