"""Which solids form which bodies, where they are, and what they carry."""

from __future__ import annotations

import math

import pytest

from tests.physics.worlds import NEW, OLD, OLDEST, box, part, plan, world

PHYSICS = "physics Physics { }"
BOUNDING = "boundingObject Box { size 1 1 1 }"


def child(name: str, fields: str = "") -> str:
    return f'Solid {{ name "{name}" {fields} }}'


def test_solids_with_physics_below_each_other_are_one_body():
    grandchild = child("c", f"translation 0 1 0 {BOUNDING} {PHYSICS}")
    inner = child(
        "b", f"translation 1 0 0 {BOUNDING} {PHYSICS} children [ Group {{ children [ {grandchild} ] }} ]"
    )
    made = part(child("a", f"translation 0 0 5 {BOUNDING} {PHYSICS} children [ {inner} ]"))
    (body,) = made.bodies
    assert [one.node.get("name") for one in body.solids] == ["a", "b", "c"]
    assert made.solids[2].offset.position == (1, 1, 0)
    assert made.solids[2].pose.position == (1, 1, 5)
    assert body.pose.position == (0, 0, 5)


def test_a_pose_between_solids_counts_for_the_place():
    inner = child("b", f"translation 1 0 0 {PHYSICS}")
    turned = f"Pose {{ translation 0 0 2 rotation 0 0 1 {math.pi / 2} children [ {inner} ] }}"
    made = part(child("a", f"{PHYSICS} children [ {turned} ]"))
    assert made.solids[1].offset.position == pytest.approx((0, 1, 2))


def test_a_joint_starts_a_new_body():
    joint = f"HingeJoint {{ endPoint {child('b', f'translation 1 0 0 {BOUNDING} {PHYSICS}')} }}"
    made = part(child("a", f"{BOUNDING} {PHYSICS} children [ {joint} ]"))
    assert [body.kind for body in made.bodies] == ["dynamic", "dynamic"]
    assert made.joints[0].child is made.solids[1]


def test_solids_without_physics_share_the_frame_of_the_top_solid():
    made = part(child("a", f"{BOUNDING} children [ {child('b', f'translation 1 0 0 {BOUNDING}')} ]"))
    (body,) = made.bodies
    assert body.kind == "frame"
    assert len(body.solids) == 2


def test_physics_below_a_static_parent_is_pinned_to_the_world():
    made = part(
        child("a", f"{BOUNDING} children [ {child('b', f'translation 1 0 0 {BOUNDING} {PHYSICS}')} ]")
    )
    assert [(body.kind, body.pinned) for body in made.bodies] == [("frame", False), ("dynamic", True)]


def test_a_solid_without_physics_on_a_body_has_a_frame_only_for_its_bounding_object():
    made = part(
        child(
            "a", f"{BOUNDING} {PHYSICS} children [ {child('b', BOUNDING)} {child('c', 'translation 0 0 1')} ]"
        )
    )
    assert [body.kind for body in made.bodies] == ["dynamic", "frame"]
    assert made.bodies[1].carrier is made.bodies[0]
    assert made.solids[2].body is made.bodies[0]


def test_physics_below_a_part_without_physics_of_a_moving_body_is_pinned_and_said():
    inner = child("c", f"{BOUNDING} {PHYSICS}")
    made = plan(child("a", f"{BOUNDING} {PHYSICS} children [ {child('b', f'children [ {inner} ]')} ]"))
    (found,) = made.report
    assert 'Solid "a" > Solid "b" > Solid "c"' in found.message
    assert made.parts[0].bodies[1].pinned


def test_a_touch_sensor_with_physics_is_a_body_of_its_own():
    sensor = f"TouchSensor {{ {BOUNDING} {PHYSICS} }}"
    made = part(f"Robot {{ {BOUNDING} {PHYSICS} children [ {sensor} ] }}")
    assert made.bodies[1].fixed_to is made.bodies[0]
    merged = part(f"Robot {{ {BOUNDING} {PHYSICS} children [ Camera {{ {BOUNDING} {PHYSICS} }} ] }}")
    assert len(merged.bodies) == 1


def test_slots_lead_to_the_solid_behind_them():
    slot = f'Slot {{ type "a" endPoint Slot {{ type "a" endPoint {child("b", f"{BOUNDING} {PHYSICS}")} }} }}'
    made = part(child("a", f"{BOUNDING} {PHYSICS} children [ {slot} ]"))
    assert len(made.bodies[0].solids) == 2
    jointed = part(child("a", f"{BOUNDING} {PHYSICS} children [ HingeJoint {{ endPoint {slot} }} ]"))
    assert jointed.joints[0].child.node.get("name") == "b"


def test_every_top_solid_is_a_part_also_inside_of_groups():
    text = f"""Group {{ children [ {child("a")} Pose {{ translation 0 0 1 children [ {child("b")} ] }} ] }}"""
    made = plan(text)
    assert [one.node.get("name") for one in made.parts[:]] == ["a", "b"]
    assert made.parts[1].solids[0].pose.position == (0, 0, 1)


def test_robots_are_numbered_and_know_self_collision():
    made = plan(f'Robot {{ {BOUNDING} selfCollision TRUE }} Robot {{ name "two" {BOUNDING} }}')
    robots = [robot for one in made.parts for robot in one.robots]
    assert [(robot.number, robot.self_collision) for robot in robots] == [(0, True), (1, False)]


def test_hidden_velocities_are_those_of_the_body():
    made = part(box(fields="linearVelocity 1 2 3 angularVelocity 0 0 4"))
    assert made.bodies[0].linear_velocity == (1, 2, 3)
    assert made.bodies[0].angular_velocity == (0, 0, 4)


def test_scale_of_old_solids_enlarges_places_and_shapes():
    made = part(
        f"Solid {{ scale 2 2 2 {BOUNDING} {PHYSICS} children [ "
        f"{child('b', f'translation 1 0 0 {BOUNDING} {PHYSICS}')} ] }}",
        OLD,
    )
    assert made.solids[1].offset.position == (2, 0, 0)
    assert made.solids[1].geometries[0].size == (2, 2, 2)


def test_a_solid_has_one_scale_for_all_axes():
    made = part(f"Solid {{ scale 2 3 4 {BOUNDING} {PHYSICS} }}", OLD)
    assert made.solids[0].geometries[0].size == (2, 2, 2)


def test_damping_of_merged_solids_is_weighted_by_volume_and_overrides_the_default():
    inner = "boundingObject Box { size 1 1 3 } physics Physics { damping Damping { linear 0.4 angular 0 } }"
    info = "WorldInfo { defaultDamping Damping { linear 0.5 angular 0.6 } }"
    made = plan(info + child("a", f"{BOUNDING} {PHYSICS} children [ {child('b', inner)} ]") + box("ALONE"))
    assert made.parts[0].bodies[0].damping == pytest.approx((0.3, 0))
    assert made.parts[1].bodies[0].damping == (0.5, 0.6)


def test_wheels_of_differential_wheels_are_bodies_on_hinges_that_drive_forward():
    wheel = "translation {x} 0.02 0 boundingObject Sphere {{ radius 0.02 }} physics Physics {{ }}"
    text = f"""DifferentialWheels {{ maxForce 0.5 {BOUNDING} {PHYSICS} children [
      {child("left wheel", wheel.format(x=-0.03))} {child("right wheel", wheel.format(x=0.03))} ] }}"""
    made = part(text, OLDEST)
    assert len(made.bodies) == 3
    assert [joint.axes[0].direction for joint in made.joints] == [(-1, 0, 0)] * 2
    assert made.joints[0].anchor == (-0.03, 0.02, 0)
    assert made.joints[0].axes[0].motor.max_force == 0.5
    assert made.drives == []


def test_differential_wheels_without_physics_drive_kinematically():
    text = "DifferentialWheels { wheelRadius 0.02 axleLength 0.05 maxAcceleration 7 slipNoise 0 }"
    (drive,) = part(text, OLDEST).drives
    assert (drive.wheel_radius, drive.axle, drive.max_acceleration) == (0.02, 0.05, 7)
    assert drive.forward == (0, 0, -1)


def test_differential_wheels_without_physics_may_carry_hinges():
    hinge = "HingeJoint { jointParameters HingeJointParameters { } endPoint Solid { } }"
    (drive,) = part(f"DifferentialWheels {{ children [ {hinge} ] }}", OLDEST).drives
    assert (drive.left, drive.right) == (None, None)


def test_a_robot_without_physics_drives_by_two_cylinder_wheels():
    def wheel(name: str, y: float) -> str:
        bounding = "Pose { rotation 1 0 0 1.5707963 children [ Cylinder { radius 0.04 height 0.01 } ] }"
        end = child(name, f"translation 0 {y} 0.04 boundingObject {bounding}")
        return (
            f"HingeJoint {{ jointParameters HingeJointParameters {{ axis 0 1 0 anchor 0 {y} 0.04 }} "
            f'device RotationalMotor {{ name "{name}" }} endPoint {end} }}'
        )

    (drive,) = part(f"Robot {{ children [ {wheel('r', -0.1)} {wheel('l', 0.1)} ] }}").drives
    assert drive.left.child.node.get("name") == "l"
    assert (drive.wheel_radius, drive.axle) == pytest.approx((0.04, 0.2))


def test_settings_of_a_new_world():
    made = plan(
        "WorldInfo { gravity 3.71 basicTimeStep 0.001 ERP 0.4 CFM 0.01 randomSeed 7 physicsDisableTime 2 }"
    )
    s = made.settings
    assert s.gravity == (0, 0, -3.71)
    assert s.dt == 1e-6
    assert (s.erp, s.cfm, s.random_seed, s.disable_time) == (0.4, 0.01, 7, 2)
    assert (s.up, s.north) == ((0, 0, 1), (0, 1, 0))


def test_settings_of_an_old_world_have_gravity_as_a_vector():
    s = plan("WorldInfo { gravity 0 0 -2 northDirection 0 1 0 }", OLDEST).settings
    assert s.gravity == (0, 0, -2)
    assert (s.up, s.north) == ((0, 0, 1), (0, 1, 0))
    assert plan("WorldInfo { }", OLDEST).settings.gravity == (0, -9.81, 0)


def test_a_coordinate_system_names_its_axes():
    s = plan('WorldInfo { coordinateSystem "NUE" }').settings
    assert (s.gravity, s.north) == ((0, -9.81, 0), (1, 0, 0))


def test_a_world_without_world_info_falls_along_its_release():
    for body in ("", "WorldInfo { }"):
        for header in (OLDEST, OLD):
            assert plan(body, header).settings.gravity == (0, -9.81, 0)
        for release in ("R2020b", "R2021b", "R2023b"):
            assert plan(body, f"#VRML_SIM {release} utf8\n").settings.gravity == (0, 0, -9.81)


def test_a_negative_seed_is_another_one_each_time():
    first, second = (plan("WorldInfo { randomSeed -1 }").settings.random_seed for _ in range(2))
    assert first != second


def test_the_plan_names_the_node_of_an_instance():
    loaded = world("DEF A Solid { }", NEW)
    from wbridge.wbcore.physics.planner import make_plan

    assert make_plan(loaded).solid(loaded.nodes[0]).node is loaded.nodes[0]


def test_a_solid_by_use_is_said_and_left_out():
    made = plan(f"Solid {{ children [ DEF A {child('a')} USE A ] }}")
    (found,) = made.report
    assert "used a second time by USE" in found.message
    assert len(made.parts[0].solids) == 2
