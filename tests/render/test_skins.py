"""Pictures of skins whose bones a controller or solids move."""

from __future__ import annotations

import pytest

from fuzz.fbx_files import arm

LOOK = (
    'appearance [ Appearance { name "cloth" material Material { diffuseColor 0 0 0 emissiveColor 0 1 0 } } ]'
)


@pytest.fixture
def skin(studio):
    """A skin 4 m ahead whose x axis points to the right and whose y axis points up."""
    (studio.folder / "arm.fbx").write_bytes(arm())
    return studio


def robot(more: str, solids: str = "") -> str:
    turn = "rotation 0.57735 -0.57735 -0.57735 2.0944"
    return (
        f'DEF R Robot {{ name "puppet" controller "<none>" children [ Skin {{ translation 4 0 0 {turn} '
        f'modelUrl "arm.fbx" {LOOK} {more} }} {solids} ] }}'
    )


def test_bones_that_a_controller_sets(skin):
    """Judge: linear blend skinning; the lower bone is 1 m to the right of the upper one."""
    skin.load(robot(""))
    before = skin.take()
    assert before[11, 21, 1]
    assert before[11, 30, 1]
    assert not before[21, 21, 1]
    (device,) = [one for one in skin.simulation.robots.list[0].devices if one.name == "skin"]
    assert device.constants() == {"bones": ["upper", "lower"]}
    device.on_set_bone_orientation(0, (0.0, 0.0, 1.0, -1.5707963), False)
    after = skin.take()
    assert after[21, 21, 1]
    assert not after[11, 30, 1]
    device.reset()
    assert (skin.take() == before).all()


def test_bones_that_solids_move(skin):
    """Judge: WbSkin.cpp: solids with the names of the bones carry the vertices, which they bind at the
    start."""
    joint = (
        "HingeJoint { jointParameters HingeJointParameters { axis 1 0 0 anchor 4 0 0 } "
        'device RotationalMotor { name "motor" maxVelocity 1000 } endPoint DEF UPPER Solid { '
        'translation 4 0 0 name "upper" children [ Solid { translation 0 1 0 name "lower" } ] } }'
    )
    bones = 'bones [ SolidReference { solidName "upper" } SolidReference { solidName "lower" } ]'
    skin.load(robot(bones, joint))
    before = skin.take()
    assert before[11, 21, 1]
    assert before[11, 30, 1]
    skin.simulation.set_field(skin.simulation.world.find("UPPER"), "rotation", (1.0, 0.0, 0.0, -1.5707963))
    after = skin.take()
    assert after[11, 11, 1]
    assert not after[11, 30, 1]
    device = skin.simulation.robots.list[0].devices[0]
    device.on_set_bone_position(0, (0.0, 0.0, 5.0), False)
    assert (skin.take() == after).all()
    assert not device.positions


def test_a_changed_model_is_drawn_and_obeys_the_controller(skin):
    skin.load("DEF OUT " + robot("").replace("Skin {", "DEF SKIN Skin {").replace("DEF R ", ""))
    node = skin.simulation.world.find("SKIN")
    device = skin.simulation.robots.list[0].devices[0]
    skin.simulation.set_field(node, "modelUrl", "none.fbx")
    assert not skin.take().any()
    skin.simulation.set_field(node, "modelUrl", "arm.fbx")
    assert skin.take()[11, 30, 1]
    device.on_set_bone_position(0, (0.0, -5.0, 0.0), True)
    assert not skin.take()[11, 21, 1]


def test_solids_that_do_not_match_the_bones(skin, caplog):
    skin.load(robot('bones [ SolidReference { solidName "upper" } ]'))
    assert not skin.take().any()
    assert "no solid in 'bones' for the bone 'upper'; the model has 2" in caplog.text
