"""Types of nodes in fields, their places, USE, Slots."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scene.checks.tables import FRAME, HEADER, ROBOT, assert_row, bad, good, places
from tests.scene.helpers import project, world
from wbridge.wbcore.scene.checks import check_world
from wbridge.wbcore.scene.checks.slots import match
from wbridge.wbcore.scene.load import load_proto, load_world

TYPES = [
    bad(
        "geometry",
        "Shape { geometry Material {} }",
        "error wrong-node-type 2:18",
        "Material is not allowed in Shape.geometry; allowed: Geometry",
    ),
    bad("physics", "Solid { physics Damping {} boundingObject Box {} }", "error wrong-node-type 2:17"),
    bad(
        "one of many",
        "Group { children [ Shape {} WorldInfo {} ] }",
        "error wrong-node-type 2:29",
        "WorldInfo",
    ),
    bad(
        "joint parameters",
        "Solid { children [ HingeJoint { endPoint Solid {} jointParameters JointParameters {} } ] }",
        "error wrong-node-type 2:67",
        "allowed: HingeJointParameters",
    ),
    bad(
        "device of a joint",
        ROBOT % "HingeJoint { device [ LinearMotor {} ] endPoint Solid {} }",
        "error wrong-node-type 2:60",
        "RotationalMotor",
    ),
    bad("end point", "Solid { children [ HingeJoint { endPoint Group {} } ] }", "error wrong-node-type 2:42"),
    good(
        "derived types",
        'Solid { children [ Robot { controller "void" } Transform {} PointLight {} ] '
        "boundingObject Group { children [ Box {} Transform { children [ Sphere {} ] } ] } }",
    ),
]

PLACES = [
    bad("second WorldInfo", "WorldInfo {}", "error repeated-node 3:1", "a second WorldInfo", "line 2"),
    bad("second background", "Background {}\nBackground {}", "warning repeated-node 3:1"),
    bad("second fog", "Fog {}\nFog {}", "warning repeated-node 3:1", "the one in line 2 is used"),
    bad("nothing", "Solid {}", ["warning missing-node 1:1"] * 2, "no WorldInfo", "no Viewpoint", frame=""),
    bad("top level", "ContactProperties {}", "warning not-at-top-level 2:1", "allowed there: WorldInfo"),
    bad(
        "device alone",
        "Solid { children [ Camera {} ] }",
        "warning no-robot 2:20",
        "Camera is not inside a Robot",
    ),
    bad("joint alone", "Group { children [ HingeJoint { endPoint Solid {} } ] }", "error no-solid 2:20"),
    bad("wheel", ROBOT % "TrackWheel {}", "error wrong-node-type 2:38", "Track.children"),
    good("devices", ROBOT % "Camera {} Group { children [ Solid { children [ GPS {} ] } ] }"),
    good("connector", "Solid { children [ Connector {} ] }"),
    good("lights", "DirectionalLight {} SpotLight {} Background {} Fog {}"),
]

USES = [
    bad(
        "solid",
        "DEF A Solid {}\nGroup { children [ USE A ] }",
        "error use-not-allowed 3:24",
        "USE A repeats a node of type Solid",
        "two places",
    ),
    bad("robot", 'DEF A Robot { controller "" }\nUSE A', "error use-not-allowed 3:5", "no Solid can"),
    bad(
        "motor",
        ROBOT % "HingeJoint { device DEF M RotationalMotor {} endPoint Solid {} }"
        ' HingeJoint { device USE M endPoint Solid { name "b" } }',
        "error use-not-allowed 2:127",
    ),
    bad(
        "parameters",
        ROBOT % "HingeJoint { jointParameters DEF P HingeJointParameters {} endPoint Solid {} }"
        ' HingeJoint { jointParameters USE P endPoint Solid { name "b" } }',
        "error use-not-allowed 2:150",
    ),
    good("shapes", "Solid { children [ DEF S Shape { geometry Box {} } ] boundingObject USE S }"),
    good(
        "physics",
        "Solid { boundingObject Box {} physics DEF P Physics {} }\n"
        'Solid { name "b" boundingObject Box {} physics USE P }',
    ),
]

SLOTS = [
    bad(
        "types",
        'Solid { children [ Slot { type "a" endPoint Slot { type "b" } } ] }',
        "error slot-type 2:45",
        'a Slot of type "b"',
        'of type "a"',
        'allowed: "a"',
    ),
    bad(
        "genders",
        'Solid { children [ Slot { type "a+" endPoint Slot { type "a+" } } ] }',
        "error slot-type 2:46",
        'allowed: "a-"',
    ),
    bad(
        "three", "Solid { children [ Slot { endPoint Slot { endPoint Slot {} } } ] }", "error slot-trio 2:52"
    ),
    bad(
        "single",
        "Solid { children [ Slot { endPoint Solid {} } ] }",
        "warning slot-pair 2:36",
        "only another Slot may",
    ),
    good(
        "pair",
        'Solid { children [ Slot { type "a+" endPoint Slot { type "a-" endPoint Solid {} } } Slot {} ] }',
    ),
]


@pytest.mark.parametrize(("body", "found", "words", "header", "frame"), TYPES)
def test_types(body: str, found: list[str], words: tuple[str, ...], header: str, frame: str) -> None:
    assert_row(body, found, words, header, frame)


@pytest.mark.parametrize(("body", "found", "words", "header", "frame"), PLACES)
def test_places(body: str, found: list[str], words: tuple[str, ...], header: str, frame: str) -> None:
    assert_row(body, found, words, header, frame)


@pytest.mark.parametrize(("body", "found", "words", "header", "frame"), USES)
def test_uses(body: str, found: list[str], words: tuple[str, ...], header: str, frame: str) -> None:
    assert_row(body, found, words, header, frame)


@pytest.mark.parametrize(("body", "found", "words", "header", "frame"), SLOTS)
def test_slots(body: str, found: list[str], words: tuple[str, ...], header: str, frame: str) -> None:
    assert_row(body, found, words, header, frame)


@pytest.mark.parametrize(
    ("one", "other", "fits"),
    [("", "x", True), ("x", "", True), ("x", "x", True), ("x", "y", False), ("x+", "x-", True)]
    + [("x-", "x+", True), ("x+", "x+", False), ("x+", "x", False), ("x+", "y-", False)],
)
def test_slot_types(one: str, other: str, fits: bool) -> None:
    assert match(one, other) is fits


def test_an_instance_counts_as_its_root(tmp_path: Path) -> None:
    protos = {"Ball": "PROTO Ball [ ] { Shape { geometry Sphere { } } }"}
    path = project(tmp_path, protos, "Shape { geometry Ball { } }" + FRAME)
    loaded = load_world(path)
    check_world(loaded)
    assert places(loaded) == ["error wrong-node-type 3:18"]
    assert "Ball (a Shape) is not allowed in Shape.geometry" in loaded.report.errors[0].message


def test_restrictions_of_an_interface(tmp_path: Path) -> None:
    """WbField::checkValueIsAccepted in the public source of Webots puts the default in the value's place."""
    text = (
        'PROTO Part [ field SFString {"1", "2"} version "1" unconnectedField SFNode { Camera { } } eye NULL ]'
        '{ Robot { controller "" children [ Solid { name IS version } ] } }'
    )
    path = project(tmp_path, {"Part": text}, 'Part { version "3" eye GPS { } }' + FRAME)
    loaded = load_world(path)
    check_world(loaded)
    assert sorted(places(loaded)) == ["error wrong-node-type 3:24", "warning out-of-range 3:8"]
    assert loaded.nodes[0].root.get("children")[0].get("name") == "1"
    assert (
        'Part.version is "3"; allowed: "1" or "2"; "1" is used instead' in loaded.report.warnings[0].message
    )


def test_of_missing_models_nothing_is_said() -> None:
    body = "Solid { boundingObject Nothing { } physics Nowhere { } children [ Nobody { } ] }"
    loaded = world(body + FRAME, HEADER, allow_missing=True)
    check_world(loaded)
    assert [one.code for one in loaded.report] == ["missing-model"]


def test_a_model_alone_needs_no_world_around_it(tmp_path: Path) -> None:
    path = tmp_path / "Eye.proto"
    path.write_text(HEADER + "PROTO Eye [ ] { Camera { } }", encoding="utf-8")
    loaded = load_proto(path)
    check_world(loaded)
    assert [str(one) for one in loaded.report] == []
