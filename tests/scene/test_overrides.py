"""Values of fields that replace those of a world, by place."""

from __future__ import annotations

import pytest

from tests.fleet.worlds import TEXT
from wbridge.wbcore.scene.load import LoadOptions, World, load_text
from wbridge.wbcore.scene.overrides import OverrideError, field_place, set_fields


def world() -> World:
    return load_text(TEXT)


@pytest.mark.parametrize(
    ("place", "text", "value"),
    [
        ("BALL.translation", "1 2 3", (1.0, 2.0, 3.0)),
        ("BALL.translation[2]", "4.5", 4.5),
        ("WorldInfo.basicTimeStep", "16", 16.0),
        ("counter.controller", "walker", "walker"),
        ("counter.controller", '"a b"', "a b"),
        ("counter.supervisor", "TRUE", True),
        ("ROBOT.eye.numberOfRays", "3", 3),
        ("ROBOT.eye holder.eye.type", "laser", "laser"),
        ("BALL.Physics.mass", "2", 2.0),
        ("BALL.physics.mass", "2", 2.0),
        ("BALL.children[0].geometry.radius", "0.2", 0.2),
        ("eye.lookupTable[1][0]", "0.2", 0.2),
        ("counter.controllerArgs", '[ "a" "b" ]', ["a", "b"]),
    ],
)
def test_a_value_is_set(place: str, text: str, value: object) -> None:
    one = world()
    set_fields(one, {place: text})
    assert field_place(one, place).value == value


def test_other_components_and_defaults_stay() -> None:
    one = world()
    set_fields(one, {"BALL.translation[0]": "7"})
    assert field_place(one, "BALL.translation").value == (7.0, 0.0, 1.0)
    assert field_place(world(), "BALL.translation").value == (0.0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("place", "text", "message"),
    [
        ("BAL.translation", "1 2 3", 'no node "BAL" .*; did you mean .BALL.'),
        ("BALL.translaton", "1 2 3", 'no field "translaton"; did you mean .translation.'),
        ("BALL.translation", "1 2", "needs 3 finite numbers"),
        ("BALL.translation[3]", "1", r"translation\[3\] does not exist; allowed: 0 to 2"),
        ("BALL.translation[0]", "far", '"far" is not a number'),
        ("BALL.name[0]", "x", "name has one value"),
        ("BALL.name", '"a" } Robot {', "is left over"),
        ("BALL.children", "[ ]", "contains nodes"),
        ("Solid.name", "x", 'no node "Solid"'),
        ("translation", "1 2 3", "is not NODE.FIELD"),
        ("ROBOT.nose.type", "laser", 'Robot has no node "nose" in it'),
        ("BALL.children[1].geometry.radius", "1", 'Solid has no node "children'),
        ("eye.lookupTable[1][3]", "1", r"lookupTable\[1\]\[3\] does not exist; allowed: 0 to 2"),
        ("eye.lookupTable[1]", "1 2 3", r"write lookupTable\[row\]\[component\], or give the whole value"),
        ("BALL.translation[0][1]", "1", "it is one number"),
    ],
)
def test_what_is_wrong_is_said(place: str, text: str, message: str) -> None:
    with pytest.raises(OverrideError, match=message):
        set_fields(world(), {place: text})


def test_all_problems_are_named_at_once() -> None:
    loaded = load_text(TEXT, options=LoadOptions(fields={"A.b": "1", "BALL.mass": "2"}))
    assert [one.code for one in loaded.report.errors] == ["field-place"] * 2


def test_parameters_reach_the_templates_of_protos() -> None:
    text = """#VRML_SIM R2025a utf8
EXTERNPROTO "webots://projects/objects/floors/protos/RectangleArena.proto"
WorldInfo { }
RectangleArena { floorSize 1 1 }
"""
    loaded = load_text(text, options=LoadOptions(fields={"RectangleArena.floorSize": "4 2"}))
    assert not loaded.report.errors
    boxes = [one.get("size")[:2] for one in loaded.walk() if one.type in ("Plane", "Box")]
    assert (4.0, 2.0) in boxes
