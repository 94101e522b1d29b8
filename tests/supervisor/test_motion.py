"""Poses, velocities, forces, contacts and joints."""

from __future__ import annotations

import math

import pytest

import wbridge.hal.api
from tests.devices.rig import STEP_MS
from tests.supervisor.bench import ARM, BALL, FLOOR

QUARTER = "rotation 0 0 1 1.5707963267948966"
TURNED = f"DEF FRAME Pose {{ translation 1 0 0 {QUARTER} children [ DEF IN Pose {{ translation 2 0 0 }} ] }}"
BOX = (
    f'DEF BOX Solid {{ translation 0 0 1 {QUARTER} name "box" boundingObject Box {{ size 1 1 1 }} '
    "physics Physics { density -1 mass 2 } }"
)
STILL = "gravity 0"
STEP_S = STEP_MS / 1000


def test_places_of_what_is_no_solid(bench):
    b = bench(TURNED)
    assert b.api.getFromDef("IN").getPosition() == pytest.approx([1, 2, 0])
    assert b.api.getFromDef("IN").getOrientation() == pytest.approx([0, -1, 0, 1, 0, 0, 0, 0, 1])


def test_poses_are_given_in_any_frame(bench):
    b = bench(TURNED + BALL)
    inner, frame = b.api.getFromDef("IN"), b.api.getFromDef("FRAME")
    assert inner.getPose(frame) == pytest.approx([1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
    pose = b.api.getFromDef("BALL").getPose(frame)
    assert [pose[3], pose[7], pose[11]] == pytest.approx([2, 0, 3])


def test_scale_is_left_out(bench):
    b = bench("DEF BIG Transform { scale 2 2 2 children [ DEF IN Pose { translation 1 0 0 } ] }")
    assert b.api.getFromDef("IN").getPose()[:4] == [1, 0, 0, 2]


def test_what_has_no_place_answers_with_nothing(bench):
    b = bench(BALL)
    color = b.api.getFromDef("COLOR")
    assert all(math.isnan(one) for one in color.getPosition() + color.getOrientation() + color.getVelocity())
    assert len(b.warnings) >= 2


def test_tracked_poses_come_by_themselves(bench):
    b = bench(BALL)
    ball = b.api.getFromDef("BALL")
    ball.enablePoseTracking(2 * b.period)
    known = []
    for step in range(1, 7):
        b.tick()
        before = b.asked("get_pose")
        ball.getPose()
        known += [step] if b.asked("get_pose") == before else []
    assert known == [2, 4, 6]
    assert ball.getPosition()[2] == pytest.approx(b.simulation.node("BALL").translation[2])
    ball.disablePoseTracking()
    before = b.asked("get_pose")
    b.tick(2)
    ball.getPose()
    assert b.asked("get_pose") == before + 1


def test_a_static_solid_without_a_shape_can_be_moved(bench):
    b = bench('DEF SIGN Solid { name "sign" children [ DEF ON Pose { translation 0 0 1 } ] }')
    b.get("SIGN", "translation").setSFVec3f([3, 0, 0])
    b.tick()
    assert b.api.getFromDef("SIGN").getPosition() == pytest.approx([3, 0, 0])
    assert b.api.getFromDef("ON").getPosition() == pytest.approx([3, 0, 1])


def test_velocities_are_set_at_once(bench):
    b = bench(BALL, info=STILL)
    ball = b.api.getFromDef("BALL")
    ball.setVelocity([1, 2, 3, 0.1, 0.2, 0.3])
    assert ball.getVelocity() == pytest.approx([1, 2, 3, 0.1, 0.2, 0.3])
    b.tick(10)
    assert ball.getPosition() == pytest.approx([1.16, 2.32, 3.48])


def test_a_force_acts_for_one_step(bench):
    b = bench(BOX, info=STILL)
    box = b.api.getFromDef("BOX")
    box.addForce([10, 0, 0], False)
    b.tick()
    assert box.getVelocity() == pytest.approx([0.08, 0, 0, 0, 0, 0], abs=1e-9)
    b.tick()
    assert box.getVelocity()[0] == pytest.approx(0.08)


def test_a_force_in_the_frame_of_the_solid(bench):
    b = bench(BOX, info=STILL)
    box = b.api.getFromDef("BOX")
    box.addForce([10, 0, 0], True)
    b.tick()
    assert box.getVelocity()[:3] == pytest.approx([0, 0.08, 0], abs=1e-9)


def test_a_force_beside_the_center_turns(bench):
    b = bench(BOX, info=STILL)
    box = b.api.getFromDef("BOX")
    b.client.scene.get_from_def("BOX").add_force_with_offset([0, 0, 6], [0.5, 0, 0], False)
    b.tick()
    # The place is (0, 0.5, 1) in the world: torque 3 N m about x; inertia m/6 s^2 = 1/3.
    assert box.getVelocity() == pytest.approx([0, 0, 0.048, 0.144, 0, 0], abs=1e-6)


def test_a_torque_turns(bench):
    b = bench(BOX, info=STILL)
    b.client.scene.get_from_def("BOX").add_torque([1, 0, 0], True)
    b.tick()
    assert b.api.getFromDef("BOX").getVelocity()[3:] == pytest.approx([0, 0.048, 0], abs=1e-9)


def test_what_cannot_be_pushed_is_told(bench):
    b = bench(FLOOR)
    b.api.getFromDef("FLOOR").addForce([1, 0, 0], False)
    assert any("no Physics" in one for one in b.warnings)


@pytest.mark.parametrize("value", [math.nan, math.inf, 1e300])
def test_impossible_forces_and_velocities_are_refused(bench, value):
    b = bench(BALL, info=STILL)
    ball = b.api.getFromDef("BALL")
    bad = (value, 0.0, 0.0)
    for code, values in ((66, (bad + bad,)), (71, (bad, False)), (72, (bad, bad, True)), (73, (bad, True))):
        b.queue(code, ball.getId(), *values)
    b.queue(76, b.api.getFromDef("BALL").getId(), value, 1)
    b.tick(2)
    assert ball.getPosition() == [1, 2, 3]
    assert ball.getVelocity() == [0] * 6
    assert len(b.warnings) == 5


def test_the_center_of_mass_counts_all_that_hangs_below(bench):
    arm = ARM.replace(
        "children [", "boundingObject Box { size 1 1 1 } physics Physics { density -1 mass 3 } children [", 1
    )
    b = bench(arm + FLOOR)
    assert b.api.getFromDef("ARM").getCenterOfMass() == pytest.approx([0.125, 0, 0.25])
    assert b.api.getFromDef("LINK").getCenterOfMass() == pytest.approx([0.5, 0, 1])
    assert b.api.getFromDef("FLOOR").getCenterOfMass() == [0, 0, 0]


def test_a_box_on_a_floor_touches_it_in_four_places(bench):
    b = bench(BOX.replace("translation 0 0 1", "translation 0 0 0.5") + FLOOR)
    b.tick(20)
    box = b.api.getFromDef("BOX")
    points = box.getContactPoints()
    assert len(points) == 4
    assert {round(abs(one.point[0]), 2) for one in points} == {0.5}
    assert {one.node_id for one in points} == {box.getId()}
    assert len(b.api.getFromDef("FLOOR").getContactPoints()) == 4
    assert box.getStaticBalance() is True


def test_nothing_touches_in_the_air(bench):
    b = bench(BOX)
    b.tick()
    box = b.api.getFromDef("BOX")
    assert box.getContactPoints() == []
    assert box.getStaticBalance() is False


def test_contacts_of_all_that_hangs_below(bench):
    arm = ARM.replace("translation 0.5 0 1", "translation 1.2 0 0.05").replace(
        "children [",
        "translation 0 0 0.5 boundingObject Box { size 1 1 1 } physics Physics { } children [",
        1,
    )
    b = bench(arm.replace("1.2 0 0.05", "1.2 0 -0.45") + FLOOR)
    b.tick(10)
    arm, link = b.api.getFromDef("ARM"), b.api.getFromDef("LINK")
    own, below = arm.getContactPoints(False), arm.getContactPoints(True)
    assert {one.node_id for one in own} == {arm.getId()}
    assert {one.node_id for one in below} == {arm.getId(), link.getId()}
    assert len(below) == len(own) + len(link.getContactPoints())


def test_old_functions_tell_the_contacts_that_were_counted(bench):
    arm = ARM.replace("translation 0.5 0 1", "translation 1.2 0 -0.45").replace(
        "children [",
        "translation 0 0 0.5 boundingObject Box { size 1 1 1 } physics Physics { } children [",
        1,
    )
    b = bench(arm + FLOOR)
    b.tick(10)
    node = wbridge.hal.api.wb_supervisor_node_get_from_def("ARM")
    for descendants in (False, True):
        points = wbridge.hal.api.wb_supervisor_node_get_contact_points(node, descendants)
        assert wbridge.hal.api.wb_supervisor_node_get_number_of_contact_points(node, descendants) == len(
            points
        )
        for i, one in enumerate(points):
            assert wbridge.hal.api.wb_supervisor_node_get_contact_point(node, i) == list(one.point)
            found = wbridge.hal.api.wb_supervisor_node_get_contact_point_node(node, i)
            assert wbridge.hal.api.wb_supervisor_node_get_id(found) == one.node_id
        beyond = wbridge.hal.api.wb_supervisor_node_get_contact_point(node, len(points))
        assert [math.isnan(one) for one in beyond] == [True] * 3  # manual, chapter Supervisor


def test_tracked_contacts_come_by_themselves(bench):
    b = bench(BOX.replace("translation 0 0 1", "translation 0 0 0.5") + FLOOR)
    box = b.api.getFromDef("BOX")
    box.enableContactPointsTracking(b.period, False)
    b.tick(3)
    assert box.getContactPoints()
    assert b.asked("get_contact_points") == 0
    box.disableContactPointsTracking()
    b.tick(3)
    assert box.getContactPoints()
    assert b.asked("get_contact_points") == 1


def test_a_joint_is_put_at_a_position_at_once(bench):
    b = bench(ARM)
    joint = b.api.getFromDef("HINGE")
    joint.setJointPosition(math.pi / 2)
    assert b.api.getFromDef("LINK").getPosition() == pytest.approx([0, 0.5, 1], abs=1e-9)
    b.tick(10)
    assert b.get("TURN", "position").getSFFloat() == pytest.approx(math.pi / 2, abs=1e-3)


def test_what_is_no_joint_or_axis_is_told(bench):
    b = bench(ARM + BALL)
    b.queue(76, b.api.getFromDef("BALL").getId(), 1.0, 1)
    b.queue(76, b.api.getFromDef("HINGE").getId(), 1.0, 2)
    b.queue(76, b.api.getFromDef("HINGE").getId(), 1.0, 0)
    b.queue(76, b.api.getFromDef("HINGE").getId(), 1.0, 2**32 - 1)
    b.api.step(0)
    assert len(b.warnings) == 4


def test_a_reset_of_physics_stops_a_solid_for_one_step(bench):
    b = bench(BALL)
    b.tick(10)
    ball = b.api.getFromDef("BALL")
    b.get("BALL", "translation").setSFVec3f([0, 0, 9])
    ball.resetPhysics()
    assert ball.getVelocity() == [0] * 6
    b.tick()
    assert ball.getPosition() == pytest.approx([0, 0, 9])
    b.tick()
    assert ball.getPosition()[2] < 9


def test_a_solid_in_its_parents_body_moves_with_its_own_origin(bench):
    """Rigid bodies: v + w x r, with r from the center of mass to the solid's origin."""
    shape = "boundingObject Box { size 1 1 1 } physics Physics { density -1 mass 1 }"
    inner = f"DEF PART Solid {{ translation 2 0 0 {shape} }}"
    b = bench(f"DEF WHOLE Solid {{ {shape} children [ {inner} ] }}", STILL)
    b.api.getFromDef("WHOLE").setVelocity([0.5, 0, 0, 0, 0, 3])
    b.tick()
    # The common center of mass is 1 m from both origins.
    velocity = b.api.getFromDef("PART").getVelocity()
    turn = 2 * math.atan(3 * STEP_S / 2)
    expected = [0.5 - 3 * math.sin(turn), 3 * math.cos(turn), 0, 0, 0, 3]
    assert velocity == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("base", ["", "angularVelocity 0 0 2"])
def test_an_end_point_without_physics_moves_with_its_joint(bench, base: str):
    """w x r about the anchor for each hinge, plus what moves the parent."""
    motor = 'RotationalMotor {{ name "{}" maxVelocity 100 maxTorque 1e9 }}'
    tip = "DEF TIP Solid { translation 1 0 0 children [ DEF MARK Solid { translation 0 0.5 0 } ] }"
    outer = (
        "HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 anchor 1 0 0 } "
        f"device [ {motor.format('b')} ] endPoint {tip} }}"
    )
    arm = (
        "HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 } "
        f"device [ {motor.format('a')} ] endPoint Solid {{ children [ {outer} ] }} }}"
    )
    b = bench(f'DEF ARM Robot {{ name "arm" controller "<extern>" {base} children [ {arm} ] }}', STILL)
    client = b.connect("arm")
    for name, speed in (("a", 3), ("b", -1)):
        b.of(client, name).set_position(math.inf)
        b.of(client, name).set_velocity(speed)
    b.step(5)
    spin = 3 + (2 if base else 0)
    (x, y), (tip_x, tip_y) = (b.simulation.node(name).translation[:2] for name in ("MARK", "TIP"))
    # TIP turns about the origin at 3 rad/s (+ 2), MARK about TIP at 1 rad/s less.
    speed_x = -spin * tip_y - (spin - 1) * (y - tip_y)
    speed_y = spin * tip_x + (spin - 1) * (x - tip_x)
    expected = [speed_x, speed_y, 0, 0, 0, spin - 1]
    assert b.api.getFromDef("MARK").getVelocity() == pytest.approx(expected, abs=1e-9)


def test_an_end_point_without_physics_slides_with_its_joint(bench):
    slider = (
        "SliderJoint { jointParameters JointParameters { axis 0 1 0 } device [ LinearMotor { "
        'name "m" maxVelocity 10 maxForce 1e9 } ] endPoint DEF END Solid { } }'
    )
    b = bench(f'DEF ARM Robot {{ name "arm" controller "<extern>" children [ {slider} ] }}')
    client = b.connect("arm")
    b.of(client, "m").set_position(math.inf)
    b.of(client, "m").set_velocity(0.5)
    b.step(5)
    assert b.api.getFromDef("END").getVelocity() == pytest.approx([0, 0.5, 0, 0, 0, 0])


def test_a_reset_of_all_physics_stops_all(bench):
    b = bench(BALL + BOX)
    b.tick(10)
    b.api.simulationResetPhysics()
    assert b.api.getFromDef("BALL").getVelocity() == [0] * 6
    assert b.api.getFromDef("BOX").getVelocity() == [0] * 6


def test_questions_that_come_again_have_answers_of_now(bench):
    b = bench(BALL + ARM)
    ball, link = b.api.getFromDef("BALL"), b.api.getFromDef("LINK")
    b.api.getFromDef("HINGE").setJointPosition(0.2)
    for _ in range(4):
        b.tick()
        view = b.simulation.node("BALL")
        for _ in range(2):
            assert ball.getPosition() == list(view.translation)
            assert ball.getVelocity()[2] == view.velocity[2]
            assert ball.getPose()[11] == view.translation[2]
            assert link.getPosition() == list(b.simulation.node("LINK").translation)
            turned = list(b.simulation.node("LINK").pose[:3, :3].flat)
            assert link.getOrientation() == pytest.approx(turned, abs=1e-14)
    assert len(b.robot.questions) == 4
    uid = ball.getId()
    b.simulation.edits.remove(b.node("BALL"))
    b.queue(b.cable.codec.command_codes["get_position"], uid)
    b.tick()
    assert any("the node does not exist or was removed" in one for one in b.warnings)
