"""Defects of supervisors that Webots' release notes name as mended, each with a value from outside.

The numbers are issues and pull requests of cyberbotics/webots.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.devices.rig import STEP_MS
from tests.supervisor.bench import ARM, BALL, FLOOR, Bench
from wbridge.hal.controller import Node

Maker = Callable[..., Bench]
STILL = "gravity 0"
DT = STEP_MS / 1000


def test_5603_the_mode_of_the_simulation_can_be_set(bench: Maker):
    """#5603: what is set is read after the next step."""
    b = bench()
    for mode in (b.api.SIMULATION_MODE_FAST, b.api.SIMULATION_MODE_REAL_TIME):
        b.api.simulationSetMode(mode)
        assert b.api.simulationGetMode() == mode


def test_5633_tracked_contact_points_are_those_that_are_not_tracked(bench: Maker):
    """#5633: a ball on the floor has its one point below its center, tracked or not."""
    b = bench(BALL.replace("1 2 3", "1 2 0.1") + FLOOR)
    ball = b.api.getFromDef("BALL")
    b.tick(5)
    plain = [point.point for point in ball.getContactPoints()]
    ball.enableContactPointsTracking(STEP_MS)
    b.tick()
    tracked = [point.point for point in ball.getContactPoints()]
    assert len(plain) == len(tracked) == 1
    assert tracked[0] == pytest.approx([1, 2, 0], abs=6e-3)
    ball.disableContactPointsTracking()


def test_5640_a_tracked_field_reads_what_it_is(bench: Maker):
    """#5640: the field of a ball that flies at 1 m/s, with and without tracking."""
    b = bench(BALL, STILL)
    field = b.get("BALL", "translation")
    b.api.getFromDef("BALL").setVelocity([1, 0, 0, 0, 0, 0])
    field.enableSFTracking(STEP_MS)
    b.tick(3)
    assert field.getSFVec3f() == pytest.approx([1 + 3 * DT, 2, 3])
    field.disableSFTracking()
    b.tick(2)
    assert field.getSFVec3f() == pytest.approx([1 + 5 * DT, 2, 3])


@pytest.mark.parametrize("name", ["COLOR", "ROUND", "MASS"])
def test_5620_the_pose_of_a_node_without_a_place_cannot_be_tracked(bench: Maker, name: str):
    """#5620: a message instead of a crash, and the run goes on."""
    b = bench(BALL)
    node = b.api.getFromDef(name)
    node.enablePoseTracking(STEP_MS)
    assert b.tick(3) == 0


def test_5638_what_is_tracked_may_be_deleted(bench: Maker):
    """#5638: pose, field and contact points of a ball that is removed while they are tracked."""
    b = bench(BALL + FLOOR)
    ball = b.api.getFromDef("BALL")
    ball.enablePoseTracking(STEP_MS)
    ball.enableContactPointsTracking(STEP_MS)
    ball.getField("translation").enableSFTracking(STEP_MS)
    b.tick(2)
    ball.remove()
    assert b.tick(3) == 0
    assert b.api.getFromDef("BALL") is None


def test_4366_fields_by_index_are_those_by_name(bench: Maker):
    """#4366: each index from 0 to the count gives the field of that name, and none beyond."""
    b = bench(BALL)
    ball = b.api.getFromDef("BALL")
    count = ball.getNumberOfFields()
    names = [ball.getFieldByIndex(index).getName() for index in range(count)]
    assert len(set(names)) == count
    assert {"translation", "rotation", "name", "physics", "boundingObject"} <= set(names)
    assert all(ball.getField(name).getName() == name for name in names)
    assert ball.getFieldByIndex(count) is None
    assert ball.getFieldByIndex(-1) is None


def test_4070_what_a_supervisor_puts_on_the_floor_does_not_sink(bench: Maker):
    """#4070: a ball that rests, moved by 1 m, lies as high as before."""
    b = bench(BALL.replace("1 2 3", "1 2 0.1") + FLOOR)
    place = b.get("BALL", "translation")
    b.tick(60)
    rest = place.getSFVec3f()
    for step in range(1, 4):
        place.setSFVec3f([1 - step, 2, rest[2]])
        b.tick(20)
        assert place.getSFVec3f() == pytest.approx([1 - step, 2, rest[2]], abs=1e-4)


def test_3543_only_the_node_itself_becomes_invisible(bench: Maker):
    """#3543: two walls in one Group: the one behind is seen when the one before it is hidden."""
    walls = (
        "Background { skyColor [ 0 0 1 ] } Group { children [ "
        "DEF NEAR Pose { translation 2 0 0 children [ Shape { appearance PBRAppearance { emissiveColor 1 0 0 "
        "baseColor 0 0 0 metalness 0 } geometry Box { } } ] } DEF FAR Pose { translation 5 0 0 "
        "children [ Shape { "
        "appearance PBRAppearance { emissiveColor 0 1 0 baseColor 0 0 0 metalness 0 } geometry "
        "Box { } } ] } ] }"
    )
    b = bench(walls)
    camera = b.api.getDevice("cam")
    camera.enable(STEP_MS)
    b.tick()
    middle = 4 * (camera.getWidth() * camera.getHeight() // 2 + camera.getWidth() // 2)
    assert camera.getImage()[middle + 2] > 50
    b.api.getFromDef("NEAR").setVisibility(b.api.getFromDef("CAM"), False)
    b.tick()
    blue, green, red, _ = camera.getImage()[middle : middle + 4]
    assert green > max(red, blue) + 50


def test_3240_physics_that_is_added_weighs_its_bounding_object(bench: Maker):
    """#3240: a cube of 0.2 m gets Physics with 500 kg/m^3: 4 kg; v = F dt / m."""
    b = bench('DEF B Solid { name "b" boundingObject Box { size 0.2 0.2 0.2 } }', STILL)
    node = b.api.getFromDef("B")
    node.getField("physics").importSFNodeFromString("Physics { density 500 mass -1 }")
    b.tick()
    node.addForce([4, 0, 0], False)
    b.tick()
    assert node.getVelocity()[0] == pytest.approx(4 * DT / 4)


def test_1942_a_force_wakes_what_sleeps(bench: Maker):
    """#1942: a ball that was put to sleep moves under a force: v = F dt / m."""
    b = bench(BALL, STILL)
    node = b.api.getFromDef("BALL")
    b.tick(70)
    node.addForce([2, 0, 0], False)
    b.tick()
    assert node.getVelocity()[0] == pytest.approx(DT)


def test_2635_a_force_on_a_part_without_physics_pushes_what_carries_it(bench: Maker):
    """#2635: a child Solid without Physics: its carrier of 6 kg gets F dt / m."""
    child = 'DEF PART Solid { name "part" }'
    body = (
        f'DEF B Solid {{ name "b" children [ {child} ] boundingObject Box {{ }} physics Physics '
        "{ density -1 mass 6 } }"
    )
    b = bench(body, STILL)
    b.api.getFromDef("PART").addForce([6, 0, 0], False)
    b.tick()
    assert b.api.getFromDef("B").getVelocity()[0] == pytest.approx(DT)


def test_2742_resetting_the_physics_of_a_robot_resets_its_parts(bench: Maker):
    """#2742: a spinning link of an arm stands after resetPhysics of the robot above it."""
    b = bench(ARM, STILL)
    link = b.api.getFromDef("LINK")
    link.setVelocity([0, 1, 0, 0, 0, 2])
    b.tick()
    assert abs(link.getVelocity()[5]) > 0.1
    b.api.getFromDef("ARM").resetPhysics()
    b.tick()
    assert link.getVelocity() == pytest.approx([0] * 6, abs=1e-9)


@pytest.mark.parametrize("yaw", [0.0, math.pi / 2, 2.5])
def test_2932_a_pose_relative_to_another_node(bench: Maker, yaw: float):
    """#2932: of a ball at (1, 2, 3), as a frame at (1, 0, 0) that is turned by yaw sees it."""
    b = bench(BALL + f"DEF FRAME Pose {{ translation 1 0 0 rotation 0 0 1 {yaw} }}", STILL)
    pose = b.api.getFromDef("BALL").getPose(b.api.getFromDef("FRAME"))
    assert [pose[3], pose[7], pose[11]] == pytest.approx([2 * math.sin(yaw), 2 * math.cos(yaw), 3])
    assert pose[0] == pytest.approx(math.cos(yaw))


def test_2743_a_node_that_is_exported_can_be_imported(bench: Maker):
    """#2743: the text of a ball makes an equal ball."""
    b = bench(BALL, STILL)
    text = b.api.getFromDef("BALL").exportString()
    children = b.api.getRoot().getField("children")
    b.api.getFromDef("BALL").remove()
    children.importMFNodeFromString(-1, text)
    b.tick()
    copy = children.getMFNode(-1)
    assert copy.getField("translation").getSFVec3f() == [1, 2, 3]
    copy.addForce([2, 0, 0], False)
    b.tick()
    assert copy.getVelocity()[0] == pytest.approx(DT)


def test_2740_a_state_that_is_loaded_is_the_one_that_was_saved(bench: Maker):
    """#2740: the place of a flying ball; each run from the state is the same, bit for bit."""
    b = bench(BALL)
    ball = b.api.getFromDef("BALL")
    ball.setVelocity([1, 0, 0, 0, 0, 3])
    b.tick(3)
    ball.saveState("here")
    start, runs = ball.getPosition(), []
    for _ in range(2):
        b.tick(7)
        ball.loadState("here")
        assert ball.getPosition() == start
        b.tick(5)
        runs.append((ball.getPosition(), ball.getVelocity()))
    assert runs[0] == runs[1]


@pytest.mark.parametrize("angle", [0.5, -1.2])
def test_3160_a_joint_is_where_it_is_set(bench: Maker, angle: float):
    """#3160: the link of 0.5 m about z is at 0.5 (cos, sin)."""
    b = bench(ARM, STILL)
    b.api.getFromDef("HINGE").setJointPosition(angle)
    b.tick()
    place = b.api.getFromDef("LINK").getPosition()
    assert place == pytest.approx([0.5 * math.cos(angle), 0.5 * math.sin(angle), 1], abs=1e-3)


def test_3188_items_of_a_list_can_be_deleted_one_by_one(bench: Maker):
    """#3188: deleting never hangs or crashes; count and rest are right."""
    b = bench(
        "DEF L Shape { geometry IndexedFaceSet { coord DEF C Coordinate { point [ 0 0 0, 1 0 0, 1 1 0 ] } } }"
    )
    points = b.get("C", "point")
    for left in (2, 1, 0):
        points.removeMF(0)
        b.tick()
        assert points.getCount() == left


def test_4140_a_world_is_saved_without_a_name(bench: Maker, tmp_path: Path):
    """#4140: worldSave() without an argument writes the world's own file."""
    path = tmp_path / "mine.wbt"
    b = bench(BALL, STILL, path=path)
    b.get("BALL", "translation").setSFVec3f([7, 8, 9])
    b.tick()
    assert b.api.worldSave()
    assert "translation 7 8 9" in path.read_text()


def test_3867_a_node_that_is_deleted_is_gone_at_once(bench: Maker):
    """#3867: neither its DEF name nor its id finds it, and the count of nodes falls by one."""
    b = bench(BALL)
    children = b.api.getRoot().getField("children")
    count, ball = children.getCount(), b.api.getFromDef("BALL")
    number = ball.getId()
    ball.remove()
    assert children.getCount() == count - 1
    assert b.api.getFromDef("BALL") is None
    assert b.api.getFromId(number) is None


def test_3237_a_robot_whose_controller_field_changes_after_a_reset_keeps_running(bench: Maker):
    """#3237: reset, then another controller: the supervisor's run goes on."""
    b = bench(ARM)
    b.tick(2)
    b.api.simulationReset()
    b.tick()
    b.get("ARM", "controller").setSFString("<none>")
    assert b.tick(3) == 0
    assert b.api.getFromDef("ARM").getType() == Node.ROBOT
