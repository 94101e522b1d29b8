"""Changes while a world runs: moved, added and removed solids, changed fields, joint positions."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tests.physics.worlds import FLOOR, NEW, G, box, simulation
from wbridge.wbcore.physics.errors import UnknownNodeError
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.scene.node import Node, adopt
from wbridge.wbcore.scene.writer import world_text
from wbridge.wbcore.simulation import Simulation

LIGHT = "mass 1 density -1"


def nodes(text: str) -> list[Node]:
    """Nodes as a supervisor would import them."""
    return load_text(NEW + text, "import.wbt").nodes


def add_top(s: Simulation, text: str) -> Node:
    (node,) = nodes(text)
    s.world.nodes.append(node)
    s.physics.added(node)
    return node


def remove_top(s: Simulation, node: Node) -> None:
    s.world.nodes.remove(node)
    s.physics.removed(node)


def arm(stops: str = "") -> str:
    """A box on a hinge with a motor, on a static base."""
    end = box("END", "translation 1 0 0", "0.1 0.1 0.1", LIGHT)
    return (
        'DEF BASE Robot { name "base" children [ DEF J HingeJoint { jointParameters '
        f"DEF P HingeJointParameters {{ axis 0 0 1 {stops} }} "
        f"device DEF M RotationalMotor {{ maxTorque 1000 }} endPoint {end} }} ] }}"
    )


def joint_position(s: Simulation) -> float:
    return float(s.physics.handles.joints[s.node("J").node].positions[0])


def test_a_moved_body_keeps_its_velocity():
    s = simulation(box("A", "linearVelocity 1 0 0"), info="gravity 0")
    s.run(0.1)
    node = s.node("A").node
    node.set("translation", (5.0, 0.0, 3.0))
    s.physics.moved(node)
    s.run(0.1)
    assert s.node("A").translation == pytest.approx([5.1, 0, 3])
    assert s.node("A").linear_velocity == pytest.approx([1, 0, 0])


def test_moving_a_robot_takes_its_wheels_along():
    wheel = box("W", "translation 0 1 0", "0.2 0.2 0.2", LIGHT)
    s = simulation(
        box("A", f"children [ HingeJoint {{ endPoint {wheel} }} ]", physics=LIGHT), info="gravity 0"
    )
    node = s.node("A").node
    node.set("translation", (1.0, 0.0, 0.0))
    node.set("rotation", (0.0, 0.0, 1.0, math.pi / 2))
    s.physics.moved(node)
    assert s.node("A.W").translation == pytest.approx([0, 0, 0], abs=1e-12)
    s.run(0.5)
    assert s.node("A").translation == pytest.approx([1, 0, 0], abs=1e-9)
    assert s.gaps() == []


def test_moving_a_static_base_takes_its_arm_along_with_its_anchor():
    s = simulation(arm(), info="gravity 0")
    s.physics.handles.motors[s.node("M").node].set_position(0.5)
    s.run(1.5)
    base = s.node("BASE").node
    base.set("translation", (0.0, 0.0, 2.0))
    s.physics.moved(base)
    assert joint_position(s) == pytest.approx(0.5, abs=1e-3)
    s.run(0.5)
    assert joint_position(s) == pytest.approx(0.5, abs=1e-3)
    expected = [math.cos(0.5), math.sin(0.5), 2]
    assert s.node("END").translation == pytest.approx(expected, abs=2e-3)


def test_a_moved_wall_is_where_it_was_moved_to():
    s = simulation(
        "DEF W Solid { boundingObject Box { size 1 1 1 } }"
        + box("A", "translation 10 0 2", "0.2 0.2 0.2", LIGHT)
    )
    wall = s.node("W").node
    wall.set("translation", (10.0, 0.0, 0.0))
    s.physics.moved(wall)
    s.run(2.0)
    assert s.node("A").translation[2] == pytest.approx(0.6, abs=0.01)


MARK = """DEF M Robot { translation 1 2 3 rotation 0 0 1 0.3 children [
  DEF G GPS { translation 0.1 0.2 0.3 rotation 1 0 0 0.4 }
  Pose { translation 0.5 0 0 rotation 0 1 0 0.7 children [
    DEF S Solid { translation 0 0.3 0 name "s" } ] } ] }"""


@pytest.mark.parametrize("holder", ["", "DEF H Pose { translation 7 8 9 rotation 0 1 0 1 children [ "])
def test_a_solid_that_the_engine_does_not_hold_moves_without_a_new_plan(holder: str):
    s = simulation(holder + MARK + (" ] }" if holder else ""))
    plan = s.physics.solid(s.node("M").node)
    moved = s.node("H" if holder else "M").node
    for turn in (0.1, 1.9):
        moved.set("translation", (turn / 3, 5.0, 6.0))
        moved.set("rotation", (0.6, 0.0, 0.8, turn))
        s.physics.moved(moved)
        assert s.physics.solid(s.node("M").node) is plan
        # A world loaded with these values has the same bits.
        fresh = Simulation(load_text(world_text(s.world), "fresh.wbt"))
        for name in ("M", "M.G", "M.S"):
            assert s.physics.pose(s.node(name).node) == fresh.physics.pose(fresh.node(name).node)


def test_added_bodies_fall_and_removed_ones_are_gone():
    s = simulation(FLOOR)
    node = add_top(s, box("NEW", "translation 0 0 10", physics=LIGHT))
    s.run(0.5)
    assert s.physics.pose(node).position[2] == pytest.approx(10 - G / 8, abs=0.01)
    count = s.physics.engine.body_count
    remove_top(s, node)
    assert s.physics.engine.body_count == count - 1
    with pytest.raises(UnknownNodeError, match="not part of a solid"):
        s.physics.pose(node)


def test_what_rests_on_a_removed_table_falls():
    s = simulation(
        "DEF T Solid { boundingObject Box { size 1 1 1 } }"
        + box("A", "translation 0 0 0.6", "0.2 0.2 0.2", LIGHT)
    )
    s.run(1.0)
    remove_top(s, s.node("T").node)
    s.run(0.5)
    assert s.node("A").linear_velocity[2] == pytest.approx(-G / 2, rel=0.01)


def test_a_solid_added_to_a_body_is_merged_and_the_velocity_stays():
    s = simulation(box("A", "linearVelocity 1 0 0", physics="mass 6 density -1"), info="gravity 0")
    s.run(0.5)
    holder = s.node("A").node
    (child,) = nodes(box("B", "translation 2 0 0", physics="mass 6 density -1"))
    holder.field("children").value.append(child)
    adopt(holder, child)
    s.physics.added(child)
    (body,) = s.physics.plan.parts[0].bodies
    assert body.mass.mass == 12
    assert s.node("A").translation == pytest.approx([0.5, 0, 0], abs=1e-9)
    s.run(0.5)
    assert s.node("A").linear_velocity == pytest.approx([1, 0, 0], abs=1e-6)


def test_a_joint_removed_lets_the_end_point_go():
    s = simulation(arm(), info="gravity 0")
    base, joint = s.node("BASE").node, s.node("J").node
    base.field("children").value.remove(joint)
    s.physics.removed(joint)
    assert s.physics.engine.joint_count == 0


def test_building_anew_keeps_commands_and_positions():
    s = simulation(arm(), info="gravity 0")
    motor = s.physics.handles.motors[s.node("M").node]
    motor.set_position(math.inf)
    motor.set_velocity(0.5)
    s.run(1.0)
    before = joint_position(s)
    end = s.node("END").node
    end.get("boundingObject").set("size", (0.2, 0.2, 0.2))
    s.physics.changed(end.get("boundingObject"), "size")
    assert joint_position(s) == pytest.approx(before, abs=1e-6)
    s.run(1.0)
    assert joint_position(s) == pytest.approx(before + 0.5, abs=1e-3)


@pytest.mark.parametrize(("gravity", "expected"), [(0.0, 0.0), (3.7, -3.7)])
def test_gravity_can_be_changed(gravity: float, expected: float):
    s = simulation(box("A"))
    info = s.world.first("WorldInfo")
    info.set("gravity", gravity)
    s.physics.changed(info, "gravity")
    s.run(1.0)
    assert s.node("A").linear_velocity[2] == pytest.approx(expected)


@pytest.mark.parametrize(("time", "sleeps"), [(0.1, True), (0, False)])
def test_without_a_time_of_rest_nothing_sleeps(time: float, sleeps: bool):
    """Judge: WbSolid::updateOdeAutoDisable: only a positive physicsDisableTime lets bodies sleep."""
    info = f"WorldInfo {{ physicsDisableTime {time} }}"
    s = Simulation(load_text(f"{NEW}{info} {box(fields='translation 0 0 0.5')} {FLOOR}", "test.wbt"))
    s.run(3)
    assert s.physics.carrier(s.node("BOX").node)[0].awake is not sleeps


def test_the_time_goes_on_evenly_when_the_step_changes():
    s = simulation(box("A"))
    s.step(100)
    info = s.world.first("WorldInfo")
    info.set("basicTimeStep", 4.0)
    s.physics.changed(info, "basicTimeStep")
    s.step(100)
    assert s.time == pytest.approx(0.1 + 0.4)


def test_friction_can_be_changed():
    properties = "contactProperties DEF C ContactProperties { coulombFriction 0 bounce 0 }"
    s = simulation(
        FLOOR + box("A", "translation 0 0 0.05 linearVelocity 1 0 0", "0.4 0.4 0.1", LIGHT), info=properties
    )
    s.run(0.2)
    node = s.world.find("C")
    node.set("coulombFriction", type(node.get("coulombFriction"))("d", [1.0]))
    s.physics.changed(node, "coulombFriction")
    s.run(0.5)
    assert np.linalg.norm(s.node("A").linear_velocity) < 0.01


def test_the_material_of_a_solid_can_be_changed():
    properties = 'contactProperties ContactProperties { material1 "ice" coulombFriction 0 bounce 0 }'
    s = simulation(
        FLOOR + box("A", "translation 0 0 0.05 linearVelocity 1 0 0", "0.4 0.4 0.1", LIGHT), info=properties
    )
    node = s.node("A").node
    node.set("contactMaterial", "ice")
    s.physics.changed(node, "contactMaterial")
    s.run(1.0)
    # The contacts of the first step were found with the old material.
    assert s.node("A").linear_velocity[0] == pytest.approx(1, abs=G * 0.001)


def test_mass_can_be_changed():
    s = simulation(box("A", physics=LIGHT), info="gravity 0")
    physics = s.node("A").node.get("physics")
    physics.set("mass", 5.0)
    s.physics.changed(physics, "mass")
    body, _ = s.physics.carrier(s.node("A").node)
    assert body.mass.mass == 5


def test_springs_and_stops_can_be_changed():
    s = simulation(arm(), info="gravity 0")
    parameters = s.node("P").node
    for name, value in (("springConstant", 3.0), ("minStop", -0.5), ("maxStop", 0.5)):
        parameters.set(name, value)
        s.physics.changed(parameters, name)
    axis = s.physics.handles.joints[s.node("J").node][0]
    assert axis.spring_constant == 3
    assert axis.stops == (-0.5, 0.5)


@pytest.mark.parametrize("stops", [(-4.0, 4.0), (-3.5, 1.0), (1.0, -1.0), (-0.5, 0.5)])
def test_stops_that_are_set_act_as_those_of_a_file(stops: tuple[float, float]):
    """Judge: WbHingeJoint::updateMinAndMaxStop, by which stops beyond half a turn are not effective."""
    low, high = stops
    loaded = Simulation(load_text(f"{NEW}WorldInfo {{ gravity 0 }} {arm(f'minStop {low} maxStop {high}')}"))
    set_later = simulation(arm("minStop -3 maxStop 3"), info="gravity 0")
    parameters = set_later.node("P").node
    for name, value in (("minStop", low), ("maxStop", high)):
        parameters.set(name, value)
        set_later.physics.changed(parameters, name)
    of_file, now = (s.physics.handles.joints[s.node("J").node][0].stops for s in (loaded, set_later))
    assert now == of_file


def test_limits_of_a_motor_can_be_changed_and_its_command_stays():
    s = simulation(arm(), info="gravity 0")
    node = s.node("M").node
    motor = s.physics.handles.motors[node]
    motor.set_position(0.25)
    node.set("maxVelocity", 3.0)
    s.physics.changed(node, "maxVelocity")
    assert motor.max_velocity == 3
    assert motor.target_position == 0.25


def test_a_set_joint_position_moves_the_end_point_at_rest():
    s = simulation(arm(), info="gravity 0")
    s.node("END").set_velocity(angular=(0, 0, 1))
    s.physics.set_joint_position(s.node("J").node, math.pi / 2)
    assert s.node("END").translation == pytest.approx([0, 1, 0], abs=1e-9)
    assert s.node("END").velocity == pytest.approx(np.zeros(6))
    assert s.node("P").node.get("position") == pytest.approx(math.pi / 2)
    s.run(0.5)
    assert joint_position(s) == pytest.approx(math.pi / 2, abs=1e-4)
    assert s.gaps() == []


def test_the_position_field_does_the_same():
    s = simulation(arm(), info="gravity 0")
    parameters = s.node("P").node
    parameters.set("position", 1.0)
    s.physics.changed(parameters, "position")
    assert joint_position(s) == pytest.approx(1.0)


def test_a_field_without_meaning_for_physics_changes_nothing():
    s = simulation(arm(), info="gravity 0")
    before = s.physics.structure
    node = s.node("BASE").node
    node.set("name", "other")
    s.physics.changed(node, "name")
    assert s.physics.structure == before


def test_self_collision_can_be_switched_on():
    s = simulation(arm(), info="gravity 0")
    node = s.node("BASE").node
    node.set("selfCollision", True)
    s.physics.changed(node, "selfCollision")
    assert s.physics.plan.parts[0].robots[0].self_collision


def test_a_velocity_field_moves_the_body():
    s = simulation(box("A"), info="gravity 0")
    node = s.node("A").node
    node.set("linearVelocity", (0.0, 2.0, 0.0))
    s.physics.changed(node, "linearVelocity")
    s.run(0.5)
    assert s.node("A").translation == pytest.approx([0, 1, 0])


def test_sync_writes_poses_and_joint_positions():
    s = simulation(arm() + box("A", "translation 0 0 5"), info="")
    s.physics.handles.motors[s.node("M").node].set_position(0.3)
    s.run(1.5)
    world = s.sync()
    end = world.find("END")
    assert end.get("translation") == pytest.approx((math.cos(0.3), math.sin(0.3), 0), abs=2e-3)
    assert end.get("rotation") == pytest.approx((0, 0, 1, 0.3), abs=2e-2)
    assert world.find("P").get("position") == pytest.approx(0.3, abs=2e-3)
    assert world.find("A").get("translation")[2] == pytest.approx(s.node("A").translation[2])


def test_sync_leaves_what_did_not_move_untouched():
    s = simulation(
        "Pose { translation 0.1 0.2 0.3 rotation 1 2 3 0.4 children [ DEF W Solid { translation 0.7 0.1 0.2 "
        "rotation 3 2 1 5 boundingObject Box { size 1 1 1 } } ] }"
    )
    s.run(0.1)
    node = s.sync().find("W")
    assert node.get("translation") == (0.7, 0.1, 0.2)
    assert node.get("rotation") == (3, 2, 1, 5)


def test_a_synchronized_world_goes_on_from_where_it_was():
    """Loaded from the tree after a second, the world is in the same place and moves the same way."""
    s = simulation(arm() + box("A", "translation 0 0 5 linearVelocity 1 0 0"), info="")
    s.physics.handles.motors[s.node("M").node].set_position(0.4)
    s.run(1.0)
    again = Simulation(s.sync())
    assert again.node("END").translation == pytest.approx(s.node("END").translation, abs=1e-9)
    assert again.node("END").rotation == pytest.approx(s.node("END").rotation, abs=1e-9)
    assert again.node("A").velocity == pytest.approx(s.node("A").velocity)
    again.run(0.5)
    s.run(0.5)
    assert again.node("A").translation == pytest.approx(s.node("A").translation)


def test_poses_of_nodes_that_are_no_solids_follow_their_solid():
    s = simulation(
        box("A", "linearVelocity 1 0 0 children [ DEF P Pose { translation 0 0 2 } ]"), info="gravity 0"
    )
    s.run(1.0)
    assert s.node("A.P").translation == pytest.approx([1, 0, 2])
    assert s.node("A.P").linear_velocity == pytest.approx([1, 0, 0])


def test_the_carrier_of_a_sensor_is_the_body_above_it():
    s = simulation(box("A", "children [ DEF D DistanceSensor { translation 0.5 0 0 } ]"), info="gravity 0")
    body, place = s.physics.carrier(s.node("A.D").node)
    assert body == s.physics.carrier(s.node("A").node)[0]
    assert place.position == (0.5, 0, 0)


def test_many_added_and_removed_solids_leave_no_trace():
    s = simulation(FLOOR)
    before = (s.physics.engine.body_count, s.physics.engine.geom_count, len(s.physics.handles.geoms))
    text = box("NEW", "translation 0 0 1", "0.1 0.1 0.1", LIGHT)
    for _ in range(200):
        node = add_top(s, text)
        s.step()
        remove_top(s, node)
    after = (s.physics.engine.body_count, s.physics.engine.geom_count, len(s.physics.handles.geoms))
    assert after == before


def test_devices_find_the_axis_they_sit_on():
    device = "RotationalMotor { } DEF S PositionSensor { } DEF B Brake { }"
    end = box("END", "translation 1 0 0", "0.1 0.1 0.1", LIGHT)
    s = simulation(
        f"Robot {{ children [ HingeJoint {{ position 0.5 device [ {device} ] endPoint {end} }} ] }}"
    )
    axes = s.physics.handles.axes
    assert axes[s.node("S").node].position == pytest.approx(0.5)
    axes[s.node("B").node].brake = 2.0
    assert len(axes) == 3


def test_what_hangs_on_a_body_without_physics_has_its_velocity():
    inner = 'DEF C Solid { name "c" translation 0 0 1 boundingObject Box { size 0.1 0.1 0.1 } }'
    s = simulation(
        box("A", f"angularVelocity 0 1 0 children [ HingeJoint {{ endPoint {inner} }} ]"), info="gravity 0"
    )
    s.step()
    assert s.node("C").linear_velocity == pytest.approx([1, 0, 0], abs=2e-3)
    assert s.node("C").angular_velocity == pytest.approx([0, 1, 0], abs=1e-9)


def test_halting_stops_a_robot_with_its_wheels_and_motors():
    s = simulation(arm(), info="gravity 0")
    motor = s.physics.handles.motors[s.node("M").node]
    motor.set_position(math.inf)
    motor.set_velocity(2)
    s.run(0.5)
    s.physics.halt(s.node("BASE").node)
    assert s.node("END").velocity == pytest.approx(np.zeros(6))
    assert motor.current_velocity == 0


PLAIN = """PROTO Thing [
  field SFVec3f translation 0 0 0 field SFVec3f size 1 1 1 field SFFloat mass 1 field SFString note ""
] { Solid { translation IS translation boundingObject Box { size IS size }
  physics Physics { density -1 mass IS mass } description IS note } }"""
PROCEDURAL = """# template language: javascript
PROTO Thing [ field SFVec3f translation 0 0 0 field SFFloat length 1 ]
{ Robot { translation IS translation children [ HingeJoint {
    jointParameters HingeJointParameters { axis 0 0 1 }
    device RotationalMotor { maxTorque 1000 }
    endPoint Solid { translation %<= fields.length.value >% 0 0 name "end"
      boundingObject Box { size 0.1 0.1 %<= fields.length.value >% }
      physics Physics { density -1 mass 1 } } } ]
  boundingObject Box { size 0.5 0.5 0.5 } physics Physics { density -1 mass 5 } } }"""


def instance(folder: Path, proto: str) -> Simulation:
    (folder / "Thing.proto").write_text(NEW + proto, encoding="utf-8")
    text = f'{NEW}EXTERNPROTO "Thing.proto"\nWorldInfo {{ gravity 0 basicTimeStep 8 }}\nDEF T Thing {{ }}'
    (folder / "world.wbt").write_text(text, encoding="utf-8")
    return Simulation(folder / "world.wbt")


def test_a_parameter_changes_what_it_is_bound_to(tmp_path: Path):
    s = instance(tmp_path, PLAIN)
    node = s.node("T").node
    for name, value in (("mass", 7.0), ("size", (2.0, 2.0, 2.0)), ("translation", (0.0, 0.0, 4.0))):
        s.world.set(node, name, value)
        s.physics.changed(node, name)
    body, _ = s.physics.carrier(node)
    assert body.mass.mass == 7
    assert s.physics.plan.parts[0].solids[0].geometries[0].size == (2, 2, 2)
    assert s.node("T").translation == pytest.approx([0, 0, 4])
    before = s.physics.structure
    s.world.set(node, "note", "hello")
    s.physics.changed(node, "note")
    assert s.physics.structure == before


def test_a_regenerated_instance_goes_on_from_where_it_was(tmp_path: Path):
    s = instance(tmp_path, PROCEDURAL)
    node = s.node("T").node
    (motor,) = s.physics.handles.motors.values()
    motor.set_position(0.5)
    s.node("T").set_velocity(linear=(1, 0, 0))
    s.run(2.0)
    (joint,) = s.physics.handles.joints.values()
    position = joint.positions[0]
    place, speed = s.node("T").translation, s.node("T").linear_velocity
    s.world.set(node, "length", 2.0)
    s.physics.changed(node, "length")
    assert len(s.physics.plan.parts) == 1
    assert s.physics.engine.body_count == 2
    (joint,) = s.physics.handles.joints.values()
    assert joint.positions[0] == pytest.approx(position)
    assert s.node("T").translation == pytest.approx(place)
    assert s.node("T").linear_velocity == pytest.approx(speed)
    (motor,) = s.physics.handles.motors.values()
    assert motor.target_position == pytest.approx(0.5)
    assert s.physics.plan.parts[0].solids[1].geometries[0].size[2] == 2
