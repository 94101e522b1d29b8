"""Reading fields."""

from __future__ import annotations

import pytest

from tests.supervisor.bench import ARM, BALL
from wbridge.hal.controller import Field
from wbridge.hal.protocol.dialect import R2023A, R2023B, R2025A

VALUES = (
    "DEF INFO Solid { translation 0 0 9 children [ DEF SHAPE Shape { geometry DEF MESH IndexedFaceSet { "
    "coord DEF POINTS Coordinate { point [ 0 0 0 1 0 0 0 1 0 ] } coordIndex [ 0 1 2 -1 ] creaseAngle 0.5 } "
    'appearance Appearance { texture DEF TEX ImageTexture { url [ "a.png" "b.png" ] repeatS FALSE } '
    "textureTransform DEF TT TextureTransform { center 0.5 0.25 } } } ] }"
)


@pytest.mark.parametrize("dialect", [R2023A, R2023B, R2025A])
def test_values_of_all_types(bench, dialect):
    b = bench(BALL + VALUES, info='lineScale 0.25 title "T" info [ "one" "two" ]', dialect=dialect)
    info = b.api.getRoot().getField("children").getMFNode(0)
    assert info.getField("title").getSFString() == "T"
    assert info.getField("lineScale").getSFFloat() == 0.25
    assert [info.getField("info").getMFString(i) for i in (0, 1, -1)] == ["one", "two", "two"]
    assert b.get("BALL", "translation").getSFVec3f() == [1, 2, 3]
    assert b.get("BALL", "rotation").getSFRotation() == [0, 0, 1, 0]
    assert b.get("BALL", "locked").getSFBool() is False
    assert b.get("COLOR", "baseColor").getSFColor() == [1, 0, 0]
    assert b.get("TEX", "repeatS").getSFBool() is False
    assert b.get("TT", "center").getSFVec2f() == [0.5, 0.25]
    assert b.get("POINTS", "point").getMFVec3f(1) == [1, 0, 0]
    assert [b.get("MESH", "coordIndex").getMFInt32(i) for i in range(4)] == [0, 1, 2, -1]
    assert b.get("BALL", "physics").getSFNode().getDef() == "MASS"
    assert b.get("BALL", "boundingObject").getSFNode().getTypeName() == "Sphere"
    assert b.get("INFO", "physics").getSFNode() is None


def test_what_is_known_of_a_field(bench):
    b = bench(BALL)
    field = b.get("BALL", "translation")
    assert (field.getName(), field.getType(), field.getTypeName()) == (
        "translation",
        Field.SF_VEC3F,
        "SFVec3f",
    )
    assert field.getCount() == -1
    assert b.get("BALL", "children").getCount() == 1
    assert b.get("BALL", "nothing") is None


def test_fields_have_numbers(bench):
    b = bench(BALL)
    ball = b.api.getFromDef("BALL")
    count = ball.getNumberOfFields()
    names = [ball.getFieldByIndex(i).getName() for i in range(count)]
    assert len(set(names)) == count
    assert {"translation", "rotation", "children", "physics", "boundingObject"} <= set(names)
    assert ball.getFieldByIndex(10**6) is None
    assert ball.getNumberOfBaseNodeFields() == count


def test_fields_show_where_things_are_now(bench):
    b = bench(BALL + ARM)
    b.tick(10)
    fallen = b.get("BALL", "translation").getSFVec3f()
    assert fallen[2] < 2.9
    assert fallen == pytest.approx(b.api.getFromDef("BALL").getPosition(), abs=1e-12)
    speed = b.get("BALL", "linearVelocity").getSFVec3f()
    assert speed[2] == pytest.approx(b.api.getFromDef("BALL").getVelocity()[2], abs=1e-9)


def test_the_position_of_a_joint_is_that_of_now(bench):
    b = bench(ARM)
    b.simulation.physics.handles.motors[b.node("ARM").root.get("children")[0].get("device")[0]].set_position(
        0.3
    )
    b.tick(50)
    assert b.get("TURN", "position").getSFFloat() == pytest.approx(0.3, abs=1e-3)


def test_a_lists_field_answers_for_elements_that_are_there_only(bench):
    b = bench(BALL)
    field = b.get("BALL", "children")
    assert field.getMFNode(0).getDef() == "LOOK"
    assert field.getMFNode(7) is None
    assert b.tick() == 0


def test_tracked_fields_come_by_themselves(bench):
    b = bench(BALL)
    field = b.get("BALL", "translation")
    field.enableSFTracking(b.period)
    heights = []
    for _ in range(5):
        b.tick()
        heights.append(field.getSFVec3f()[2])
    assert b.asked("get_value") == 0
    assert heights == sorted(heights, reverse=True)
    assert len(set(heights)) == 5


def test_tracking_keeps_its_period(bench):
    b = bench(BALL)
    field = b.get("BALL", "translation")
    field.enableSFTracking(3 * b.period)
    known = []
    for step in range(1, 10):
        b.tick()
        before = b.asked("get_value")
        field.getSFVec3f()
        known += [step] if b.asked("get_value") == before else []
    assert known == [3, 6, 9]


def test_tracking_ends(bench):
    b = bench(BALL)
    field = b.get("BALL", "translation")
    field.enableSFTracking(b.period)
    field.disableSFTracking()
    for count in range(1, 4):
        b.tick()
        field.getSFVec3f()
        assert b.asked("get_value") == count


def test_a_field_whose_name_is_nearly_right_is_told_once(bench):
    b = bench()
    info = b.api.getRoot().getField("children").getMFNode(0)
    for _ in range(2):
        assert info.getField("tittle") is None
    assert [one.partition(" has ")[2] for one in b.warnings] == ["no field 'tittle'; did you mean 'title'?"]
    assert info.getField("wings") is None  # whether there is such a field may be asked
    assert len(b.warnings) == 1


def test_the_center_of_mass_is_read_and_set_as_a_single_vector_too(bench, capsys):
    """The manual of 8.3.1, chapter Physics, has SFVec3f, 0 0 0; it is a list since V7.1, empty by default."""
    b = bench(BALL)
    center = b.get("MASS", "centerOfMass")
    assert (center.getTypeName(), center.getSFVec3f()) == ("MFVec3f", [0, 0, 0])
    for count, value in enumerate(([0.25, 0, 0], [0, 0.5, 0])):
        center.setSFVec3f(value)
        assert center.getSFVec3f() == center.getMFVec3f(0) == value, count
        assert center.getCount() == 1
        b.tick()
        assert list(b.node("MASS").root.get("centerOfMass")) == [tuple(value)]
    assert capsys.readouterr().err == ""
    assert b.get("MASS", "inertiaMatrix").getSFVec3f() is None
    assert 'the field "inertiaMatrix", which is of type MFVec3f' in capsys.readouterr().err
