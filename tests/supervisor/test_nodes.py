"""Finding nodes."""

from __future__ import annotations

import pytest

from tests.devices.rig import Rig
from tests.supervisor.bench import ARM, BALL
from wbridge.hal.controller import Node
from wbridge.hal.protocol.dialect import R2023A, R2023B


def test_a_node_is_found_by_def(bench):
    b = bench(BALL)
    ball = b.api.getFromDef("BALL")
    assert (ball.getDef(), ball.getTypeName(), ball.getType()) == ("BALL", "Solid", Node.SOLID)
    assert b.api.getFromDef("NOBODY") is None


def test_dots_lead_into_nodes(bench):
    b = bench(ARM + BALL)
    assert b.api.getFromDef("ARM.HINGE.LINK").getId() == b.api.getFromDef("LINK").getId()
    assert b.api.getFromDef("BALL.LINK") is None
    assert b.api.getFromDef("..") is None


def test_a_def_inside_of_a_field_of_any_node_is_found(bench):
    b = bench(BALL)
    assert b.api.getFromDef("BALL.COLOR").getTypeName() == "PBRAppearance"
    assert b.api.getFromDef("MASS").getTypeName() == "Physics"


def test_the_root_holds_the_top_nodes(bench):
    b = bench(BALL)
    root = b.api.getRoot()
    children = root.getField("children")
    assert (root.getId(), children.getCount()) == (0, 4)
    names = [children.getMFNode(i).getTypeName() for i in range(4)]
    assert names == ["WorldInfo", "Viewpoint", "Robot", "Solid"]
    assert children.getMFNode(-1).getDef() == "BALL"
    assert children.getMFNode(3).getParentNode().getId() == 0


def test_the_supervisor_knows_itself(bench):
    b = bench()
    own = b.api.getSelf()
    assert (own.getDef(), own.getTypeName()) == ("BOSS", "Robot")
    assert own.getId() == b.api.getFromDef("BOSS").getId()
    assert own.getParentNode().getId() == 0


def test_ids_are_stable_and_found_again(bench):
    b = bench(BALL + ARM + 'DEF AIDE Robot { name "aide" controller "<extern>" supervisor TRUE }')
    ids = {name: b.api.getFromDef(name).getId() for name in ("BALL", "ARM", "LINK", "BOSS")}
    assert len(set(ids.values())) == 4
    for name, uid in ids.items():
        assert b.connect("aide").scene.get_from_id(uid).get_def() == b.api.getFromId(uid).getDef() == name


@pytest.mark.parametrize("uid", [-1, -(2**31), 2**31 - 1, 123456])
def test_an_unknown_id_is_no_node(bench, uid):
    assert bench().api.getFromId(uid) is None


def test_a_device_has_a_node(bench):
    b = bench()
    node = b.api.getFromDevice(b.api.getDevice("eye"))
    assert node.getTypeName() == "DistanceSensor"
    assert node.getParentNode().getDef() == "BOSS"


def test_no_device_has_no_node(bench, capsys):
    """None is not the robot, whose tag is 0."""
    assert bench().api.getFromDevice(None) is None
    said = capsys.readouterr().err
    assert "wb_supervisor_node_get_from_device() called with an invalid 'tag' argument (None)" in said


def test_nothing_is_selected_until_somebody_selects(bench):
    b = bench(BALL)
    assert b.api.getSelected() is None
    b.simulation.selected = b.node("BALL")
    assert b.api.getSelected().getDef() == "BALL"


def test_a_def_name_that_changes_is_told(bench):
    b = bench(BALL)
    ball = b.api.getFromDef("BALL")
    b.simulation.edits.rename(b.node("BALL"), "STONE")
    b.tick()
    assert ball.getDef() == "STONE"


@pytest.mark.parametrize("dialect", [R2023A, R2023B])
def test_older_dialects_know_the_same_nodes(bench, dialect):
    b = bench("DEF P Pose { translation 1 0 0 }" + BALL, dialect=dialect)
    assert b.api.getFromDef("BALL").getTypeName() == "Solid"
    assert b.api.getFromDef("P").getBaseTypeName() == ("Transform" if dialect is R2023A else "Pose")
    assert b.get("BALL", "name").getSFString() == "ball"


def test_nobody_is_told_while_there_is_no_controller(bench):
    other = 'DEF IDLE Robot { name "idle" controller "<none>" supervisor TRUE }'
    b = bench(other)
    children = b.api.getRoot().getField("children")
    for _ in range(20):
        children.importMFNodeFromString(-1, BALL)
        b.api.getFromDef("BALL").remove()
    assert b.simulation.robots.find("idle").answer.own == []


def test_a_supervisor_of_an_old_world(bench):
    old = 'DEF BOSS Supervisor { name "boss" controller "<extern>" }\n' + BALL.replace(
        "PBRAppearance", "Material"
    )
    text = old.replace("appearance DEF COLOR Material { baseColor 1 0 0 }", "")
    rig = Rig("WorldInfo { basicTimeStep 16 }\n" + text, "#VRML_SIM V8.3.1 utf8\n", dialect=R2023A)
    scene = rig.client.scene
    own = scene.get_self()
    assert (own.get_type_name(), own.get_base_type_name(), own.get_def()) == ("Supervisor", "Robot", "BOSS")
    field = scene.get_from_def("BALL").get_field("translation")
    field.set_sf_vec3f([0, 5, 0])
    rig.step()
    assert field.get_sf_vec3f()[1] == pytest.approx(5, abs=0.01)
