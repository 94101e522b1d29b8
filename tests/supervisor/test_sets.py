"""Setting fields: when it happens, in which order, and what follows."""

from __future__ import annotations

import math

import pytest

from tests.supervisor.bench import ARM, BALL, FLOOR
from wbridge.hal.protocol.fields import MF
from wbridge.wbcore.scene.places import field_names

SET = 62
SLIDE = 'info [ "a" "b" "c" ]'


def test_a_set_acts_with_the_next_step(bench):
    b = bench(BALL, info="gravity 0")
    ball = b.api.getFromDef("BALL")
    field = ball.getField("translation")
    field.setSFVec3f([5, 6, 7])
    assert field.getSFVec3f() == [5, 6, 7]
    assert ball.getPosition() == [1, 2, 3]
    b.tick()
    assert ball.getPosition() == pytest.approx([5, 6, 7])
    assert b.node("BALL").get("translation") == (5, 6, 7)


def test_a_step_of_no_time_sends_but_does_not_act(bench):
    b = bench(BALL, info="gravity 0")
    ball = b.api.getFromDef("BALL")
    ball.getField("translation").setSFVec3f([5, 6, 7])
    b.api.step(0)
    assert ball.getPosition() == [1, 2, 3]
    b.tick()
    assert ball.getPosition() == pytest.approx([5, 6, 7])


def test_moving_keeps_the_present_orientation_and_velocity(bench):
    b = bench(
        BALL.replace("translation 1 2 3", "translation 1 2 3 angularVelocity 0 0 2 linearVelocity 0 1 0")
    )
    ball = b.api.getFromDef("BALL")
    b.tick(20)
    turned = ball.getOrientation()
    speed = ball.getVelocity()
    ball.getField("translation").setSFVec3f([0, 0, 50])
    b.tick()
    angle = math.atan2(ball.getOrientation()[3], ball.getOrientation()[0])
    assert angle == pytest.approx(math.atan2(turned[3], turned[0]) + 2 * 0.016, abs=1e-5)
    assert ball.getVelocity()[1] == pytest.approx(speed[1])
    assert ball.getPosition()[2] == pytest.approx(50, abs=0.1)


def test_sets_of_all_types(bench):
    b = bench(BALL, info=SLIDE)
    info = b.api.getRoot().getField("children").getMFNode(0)
    info.getField("title").setSFString("new")
    info.getField("info").setMFString(-1, "z")
    b.get("BALL", "locked").setSFBool(True)
    b.get("COLOR", "baseColor").setSFColor([0, 0.5, 1])
    b.get("ROUND", "subdivision").setSFInt32(3)
    b.get("ROUND", "radius").setSFFloat(0.4)
    b.tick()
    world = b.simulation.world
    assert world.nodes[0].get("title") == "new"
    assert world.nodes[0].get("info") == ["a", "b", "z"]
    assert b.node("BALL").get("locked") is True
    assert b.node("COLOR").get("baseColor") == (0, 0.5, 1)
    assert (b.node("ROUND").get("subdivision"), b.node("ROUND").get("radius")) == (3, 0.4)


def test_physics_follows(bench):
    b = bench(BALL)
    b.get("MASS", "mass").setSFFloat(8)
    info = b.api.getRoot().getField("children").getMFNode(0)
    info.getField("gravity").setSFFloat(0)
    b.tick(5)
    assert b.api.getFromDef("BALL").getPosition()[2] == pytest.approx(3)
    b.api.getFromDef("BALL").addForce([8, 0, 0], False)
    b.tick()
    assert b.api.getFromDef("BALL").getVelocity()[0] == pytest.approx(0.016)


def test_custom_data_reaches_its_robot(bench):
    b = bench(
        ARM.replace('"<none>"', '"<extern>"').replace("DEF ARM Robot {", 'DEF ARM Robot { customData "a"')
    )
    arm = b.connect("arm")
    b.get("ARM", "customData").setSFString("from the boss")
    b.step()
    assert arm.get_custom_data() == "from the boss"


def test_supervisors_act_in_the_order_of_the_tree(bench):
    second = 'DEF AIDE Robot { name "aide" controller "<extern>" supervisor TRUE }'
    b = bench(BALL + second, info="gravity 0")
    aide = b.connect("aide")
    aide.scene.get_from_def("BALL").get_field("translation").set_sf_vec3f([0, 0, 2])
    b.get("BALL", "translation").setSFVec3f([0, 0, 1])
    b.step()
    assert b.api.getFromDef("BALL").getPosition() == pytest.approx([0, 0, 2])


def test_one_bad_value_is_replaced_and_told(bench):
    b = bench(BALL)
    b.get("ROUND", "radius").setSFFloat(-3)
    b.tick()
    assert b.node("ROUND").get("radius") == 1
    assert any("radius cannot be -3" in one for one in b.warnings)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_none_are_refused(bench, value):
    b = bench(BALL, info="gravity 0")
    ball = b.api.getFromDef("BALL")
    at = field_names(b.node("BALL")).index("translation")
    b.queue(
        SET, ball.getId(), at, b.api.getFromDef("BALL").getField("translation").type, -1, (value, 0.0, 0.0)
    )
    b.tick()
    assert ball.getPosition() == [1, 2, 3]
    assert any("finite" in one for one in b.warnings)


def test_wrong_types_numbers_and_indices_are_told(bench):
    b = bench(BALL, info=SLIDE)
    ball, info = b.node("BALL"), b.simulation.world.nodes[0]
    number, at = b.simulation.nodes.number(ball), field_names(ball).index("translation")
    b.queue(SET, number, at, 3, -1, 1.0)
    b.queue(SET, number, 9999, 3, -1, 1.0)
    b.queue(SET, 4711, at, 3, -1, 1.0)
    b.queue(SET, b.simulation.nodes.number(info), field_names(info).index("info"), MF + 8, 77, "x")
    assert b.tick() == 0
    assert len(b.warnings) == 4


def test_a_fields_change_wakes_a_sleeping_body(bench):
    b = bench(BALL.replace("translation 1 2 3", "translation 0 0 0.1") + FLOOR, info="physicsDisableTime 0.1")
    b.tick(60)
    b.get("BALL", "translation").setSFVec3f([0, 0, 2])
    b.tick(5)
    assert b.api.getFromDef("BALL").getPosition()[2] < 1.99


def test_a_frame_above_solids_takes_them_along(bench):
    frame = f"DEF FRAME Pose {{ translation 0 0 1 children [ {BALL} ] }}"
    b = bench(frame + FLOOR, info="gravity 0")
    ball = b.api.getFromDef("BALL")
    assert ball.getPosition() == pytest.approx([1, 2, 4])
    b.get("FRAME", "translation").setSFVec3f([0, 0, 5])
    b.tick()
    assert ball.getPosition() == pytest.approx([1, 2, 8])
    ball.setVelocity([0, 0, 1, 0, 0, 0])
    b.tick()
    assert ball.getPosition() == pytest.approx([1, 2, 8.016])
    b.api.simulationReset()
    b.tick()
    assert ball.getPosition() == pytest.approx([1, 2, 4])


def test_many_elements_of_a_list_are_one_change(bench):
    rows = " ".join("0" for _ in range(2500))
    ground = (
        'DEF GROUND Solid { name "ground" boundingObject DEF GRID ElevationGrid { '
        f"xDimension 50 yDimension 50 xSpacing 0.1 ySpacing 0.1 height [ {rows} ] }} }}"
    )
    b = bench(ground + BALL)
    field = b.get("GRID", "height")
    b.tick()
    built = b.simulation.physics.structure
    for index in range(2500):
        field.setMFFloat(index, 0.5)
    b.tick()
    assert b.simulation.physics.structure == built + 1
    assert b.node("GRID").get("height")[2499] == 0.5


def test_a_bad_element_is_replaced(bench):
    b = bench(BALL, info="contactProperties [ DEF TOUCH ContactProperties { coulombFriction [ 0.5 0.5 ] } ]")
    field = b.get("TOUCH", "coulombFriction")
    field.setMFFloat(1, -7)
    b.tick()
    assert field.getMFFloat(0) == 0.5
    assert field.getMFFloat(1) >= 0
    assert len(b.warnings) == 1
