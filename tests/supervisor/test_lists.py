"""Insertions, imports and removals."""

from __future__ import annotations

import pytest

from tests.supervisor.bench import ARM, BALL, FLOOR
from wbridge.wbcore.scene.places import field_names

INSERT, REMOVE, REMOVE_NODE = 89, 63, 97
NEW = (
    'DEF NEW Solid { translation 0 0 5 name "ball" boundingObject Sphere { radius 0.1 } physics Physics { } }'
)


def children(b, def_name=""):
    return (b.api.getFromDef(def_name) if def_name else b.api.getRoot()).getField("children")


def test_values_are_inserted_and_removed_at_once(bench):
    b = bench(info='info [ "a" "b" ]')
    field = b.api.getRoot().getField("children").getMFNode(0).getField("info")
    field.insertMFString(0, "first")
    field.insertMFString(-1, "last")
    field.insertMFString(-2, "before")
    values = b.simulation.world.nodes[0].get("info")
    assert values == ["first", "a", "b", "before", "last"]
    assert field.getCount() == 5
    field.removeMF(-1)
    field.removeMF(0)
    assert b.simulation.world.nodes[0].get("info") == ["a", "b", "before"]
    assert field.getCount() == 3


def test_queued_sets_come_before_an_insertion(bench):
    b = bench(info='info [ "a" "b" ]')
    field = b.api.getRoot().getField("children").getMFNode(0).getField("info")
    field.setMFString(0, "set")
    field.insertMFString(0, "new")
    assert b.simulation.world.nodes[0].get("info") == ["new", "set", "b"]


def test_an_imported_solid_falls(bench):
    b = bench(BALL)
    children(b).importMFNodeFromString(-1, NEW)
    node = b.api.getFromDef("NEW")
    assert node.getPosition() == [0, 0, 5]
    b.tick(20)
    assert node.getPosition()[2] < 4.8
    assert b.simulation.world.nodes[-1].def_name == "NEW"


def test_an_imported_solid_gets_a_name_of_its_own(bench):
    b = bench(BALL)
    for _ in range(3):
        children(b).importMFNodeFromString(-1, NEW)
    names = [one.get("name") for one in b.simulation.world.nodes[-4:]]
    assert names == ["ball", "ball(1)", "ball(2)", "ball(3)"]


def test_counts_follow(bench):
    b = bench(BALL)
    field = children(b)
    assert field.getCount() == 4
    field.importMFNodeFromString(0, NEW)
    assert field.getCount() == 5
    b.api.getFromDef("NEW").remove()
    assert field.getCount() == 4


def test_a_removed_node_is_gone_for_all(bench):
    second = 'DEF AIDE Robot { name "aide" controller "<extern>" supervisor TRUE }'
    b = bench(BALL + FLOOR + second)
    aide = b.connect("aide")
    seen = aide.scene.get_from_def("BALL")
    ball = b.api.getFromDef("BALL")
    shape = b.api.getFromDef("LOOK")
    ball.remove()
    assert b.api.getFromDef("BALL") is None
    assert ball.getField("name") is None
    b.step()
    assert seen.get_id() == -1
    assert len(b.simulation.physics.plan.parts) == 3
    assert shape.getId() == -1


def test_what_lay_on_a_removed_floor_falls(bench):
    b = bench(BALL.replace("translation 1 2 3", "translation 0 0 0.1") + FLOOR)
    b.tick(30)
    assert b.api.getFromDef("BALL").getPosition()[2] == pytest.approx(0.1, abs=5e-3)
    b.api.getFromDef("FLOOR").remove()
    b.tick(30)
    assert b.api.getFromDef("BALL").getPosition()[2] < -0.5


def test_single_nodes_are_put_in_and_taken_out(bench):
    b = bench(BALL)
    field = b.get("BALL", "physics")
    field.removeSF()
    assert b.api.getFromDef("MASS") is None
    assert field.getSFNode() is None
    b.tick(10)
    assert b.api.getFromDef("BALL").getPosition() == [1, 2, 3]
    field.importSFNodeFromString("DEF NEW Physics { }")
    assert field.getSFNode().getDef() == "NEW"
    b.tick(10)
    assert b.api.getFromDef("BALL").getPosition()[2] < 3


def test_a_field_that_holds_a_node_takes_no_second_one(bench):
    b = bench(BALL)
    b.get("BALL", "physics").importSFNodeFromString("Physics { }")
    assert b.get("BALL", "physics").getSFNode().getDef() == "MASS"
    assert any("already holds a node" in one for one in b.warnings)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no node"),
        ("Solid {", "is missing"),
        ("Solid { translation a b c }", "translation"),
        ("Sollid { }", "Solid"),
        ("}}}} ]]] {{{{", "found"),
        ("\x00\xff", "no node"),
        ("\x07\xff", "found"),
        ("Physics { }", "cannot hold Physics"),
        ("DEF", "DEF"),
        ("USE NOTHING", "NOTHING"),
    ],
)
def test_bad_text_is_told_with_its_place(bench, text, said):
    b = bench(BALL + FLOOR)
    if "\0" in text:  # no client sends it
        ball = b.node("BALL")
        number, at = b.simulation.nodes.number(ball), field_names(ball).index("children")
        b.queue(INSERT, number, at, -1, text.encode() + b"\0")
        b.api.step(0)
    else:
        children(b, "BALL").importMFNodeFromString(-1, text)
    assert children(b, "BALL").getCount() == 1
    assert any(said in one for one in b.warnings), b.warnings
    assert b.tick() == 0


def test_a_bracket_too_many_at_the_end_is_ignored_and_told(bench):
    b = bench()
    before = children(b).getCount()
    children(b).importMFNodeFromString(-1, 'Solid { name "one" } }\n')
    assert children(b).getCount() == before + 1
    assert any("(text from boss):1:22: warning: ignored a surplus '}'" in one for one in b.warnings)
    children(b).importMFNodeFromString(-1, "Solid { name 3 } }")
    assert children(b).getCount() == before + 1


def test_the_place_of_an_error_is_that_in_the_text(bench):
    b = bench()
    children(b).importMFNodeFromString(-1, "Solid {\n  name 3\n}")
    assert any("(text from boss):2:8" in one for one in b.warnings), b.warnings


def test_nodes_nested_without_end_do_no_harm(bench):
    b = bench()
    children(b).importMFNodeFromString(-1, "Group { children [ " * 20000 + "] }" * 20000)
    assert children(b).getCount() == 3
    assert b.tick() == 0


def test_a_text_may_bring_several_nodes(bench):
    b = bench()
    children(b).importMFNodeFromString(1, "DEF A Pose { } DEF B Pose { }")
    assert [one.def_name for one in b.simulation.world.nodes[1:3]] == ["A", "B"]
    children(b).importMFNodeFromString(-1, "Pose { }" * 1001)
    assert len(b.simulation.world.nodes) == 5
    assert any("at most 1000" in one for one in b.warnings)


def test_the_worlds_own_nodes_stay(bench):
    b = bench()
    for _ in range(2):
        children(b).removeMF(0)
    children(b).importMFNodeFromString(0, "WorldInfo { }")
    assert [one.type for one in b.simulation.world.nodes] == ["WorldInfo", "Viewpoint", "Robot"]
    assert len(b.warnings) == 2


def test_impossible_indices_are_told(bench):
    b = bench(BALL)
    at = field_names(b.simulation.nodes.root).index("children")
    for code, values in (
        (REMOVE, (0, at, 99)),
        (REMOVE, (0, at, -99)),
        (REMOVE, (0, 77, 0)),
    ):
        b.queue(code, *values)
    b.queue(REMOVE_NODE, 0)
    b.queue(REMOVE_NODE, 99999)
    b.queue(INSERT, 0, at, 99, b"Solid { }\0")
    b.api.step(0)
    assert len(b.warnings) == 6, b.warnings
    assert b.simulation.world.nodes[-1].def_name == "BALL"


def test_an_imported_robot_needs_a_controller(bench):
    b = bench()
    children(b).importMFNodeFromString(-1, ARM)
    assert b.host.added == ["arm"]
    assert [one.name for one in b.simulation.robots] == ["boss", "arm"]
    b.tick(2)
    b.api.getFromDef("ARM").remove()
    assert b.host.removed == ["arm"]
    assert b.tick() == 0


def test_a_new_device_of_a_running_robot_can_be_used(bench):
    b = bench(FLOOR)
    b.tick(3)
    children(b, "BOSS").importMFNodeFromString(-1, 'DEF HERE GPS { name "gps" translation 0.5 0 0 }')
    gps = b["gps"]
    gps.enable(b.period)
    b.tick(2)
    assert gps.get_values()[0] == pytest.approx(0.5)
    assert [one.name for one in b.robot.devices] == ["eye", "cam", "gps"]


def test_a_removed_device_does_nothing_and_keeps_its_tag(bench):
    b = bench()
    eye = b["eye"]
    eye.enable(b.period)
    b.tick(2)
    b.api.getFromDef("BOSS").getField("children").removeMF(0)
    b.tick(2)
    assert b["cam"].tag == 2
    assert b.tick(3) == 0


def test_the_supervisor_removes_itself_at_the_end_of_the_step(bench):
    b = bench(BALL)
    b.api.getSelf().remove()
    assert b.simulation.world.find("BOSS") is not None
    b.lockstep.session(b.robot).leave(expected=False)
    b.lockstep.step()
    assert b.simulation.world.find("BOSS") is None
    assert b.host.removed == ["boss"]
    b.lockstep.step()
