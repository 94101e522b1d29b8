"""The built-in nodes: what each release knows of them."""

import json
import subprocess
import sys
from array import array

import pytest

from scripts.generated import specification
from tests.project.files import CHECKOUT
from tests.work import calls_of
from wbridge.wbcore.scene import schema as schema_module
from wbridge.wbcore.scene.schema import schema
from wbridge.wbcore.scene.values import VecArray
from wbridge.wbcore.scene.version import NEWEST, Version

OLD = schema(Version.parse("V8.3.1"))
NEW = schema()


def at(release: str, node: str, field: str):
    return schema(Version.parse(release)).node(node).fields[field]


def specified() -> dict:
    return specification("nodes")["nodes"]


def test_all_nodes_and_fields_of_the_specification_are_known_in_every_release():
    spec = specified()
    missing = [
        f"{known.version} {name}.{field['name']}"
        for known in (OLD, NEW)
        for name, node in spec.items()
        for field in node["fields"]
        if known.node(name) is None or field["name"] not in known.node(name).fields
    ]
    assert len(spec) == 99
    assert missing == []


def test_the_newest_release_has_the_types_and_kinds_of_the_specification():
    changed_here = {"Physics.centerOfMass"}
    wrong = [
        f"{name}.{field['name']}"
        for name, node in specified().items()
        for field in node["fields"]
        if NEW.node(name).fields[field["name"]].type != field["type"] or NEW.node(name).kind != node["kind"]
    ]
    assert [label for label in wrong if label not in changed_here] == []


@pytest.mark.parametrize(
    ("node", "field", "last_old", "first_new", "old", "new"),
    [
        ("Transform", "rotation", "R2021b", "R2022a", (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0)),
        ("WorldInfo", "gravity", "R2020a", "R2020b", (0.0, -9.81, 0.0), 9.81),
        ("WorldInfo", "coordinateSystem", "R2020a", "R2020b", "NUE", "ENU"),
        ("Robot", "controllerArgs", "R2020a", "R2020b", "", []),
        ("Robot", "controller", "R2022a", "R2022b", "void", "<generic>"),
        ("Robot", "window", "R2022a", "R2022b", "", "<generic>"),
        ("ImageTexture", "filtering", "V8.5.4", "V8.6.0", True, 4),
        ("Cylinder", "subdivision", "V8.6.2", "R2018a", 12, 36),
        ("Viewpoint", "position", "R2021b", "R2022a", (0.0, 0.0, 0.0), (-10.0, 0.0, 0.0)),
        ("Recognition", "occlusion", "R2023a", "R2023b", True, 1),
        ("DistanceSensor", "type", "V7.1.0", "V7.1.1", "infra-red", "generic"),
        ("Robot", "name", "V5.0", "R2025a", "robot", "robot"),
    ],
)
def test_defaults_follow_the_release(node, field, last_old, first_new, old, new):
    assert at(last_old, node, field).default == old
    assert at(first_new, node, field).default == new


def test_types_of_other_releases_are_accepted_after_the_own_one():
    assert at("R2020a", "WorldInfo", "gravity").types == ("SFVec3f", "SFFloat")
    assert at("R2020b", "WorldInfo", "gravity").types == ("SFFloat", "SFVec3f")
    assert at("R2025a", "Robot", "controllerArgs").types == ("MFString", "SFString")


def test_a_solid_is_a_pose_since_r2023b_and_keeps_the_name_of_its_scale():
    before, after = (
        schema(Version.parse("R2023a")).node("Solid"),
        schema(Version.parse("R2023b")).node("Solid"),
    )
    assert before.is_a("Transform")
    assert not before.fields["scale"].removed
    assert after.is_a("Pose")
    assert not after.is_a("Transform")
    assert after.fields["scale"].removed
    assert after.fields["scale"].replaced_by == "Transform.scale"


def test_removed_and_deprecated_hold_from_their_release_on():
    assert [at(v, "Camera", "type").deprecated for v in ("V8.3.1", "V8.4.0")] == [False, True]
    assert [at(v, "Camera", "type").removed for v in ("R2022b", "R2023a")] == [False, True]
    assert at("R2018a", "Robot", "data").replaced_by == "customData"


def test_fields_newer_than_the_file_are_found_and_say_so():
    newer = at("V8.3.1", "Robot", "supervisor")
    assert newer.since == Version.parse("R2019a")
    assert newer.default is False


@pytest.mark.parametrize(
    ("node", "field"),
    [
        ("Camera", "windowPosition"),
        ("Display", "pixelSize"),
        ("Robot", "showWindow"),
        ("Background", "cubemap"),
    ],
)
def test_fields_that_old_worlds_hold_are_known(node, field):
    assert NEW.node(node).fields[field].removed or NEW.node(node).fields[field].deprecated


@pytest.mark.parametrize(
    ("node", "release", "status"),
    [
        ("CameraFocus", "V8.3.1", "current"),
        ("CameraFocus", "V8.4.0", "renamed"),
        ("Servo", "V8.3.1", "deprecated"),
        ("Servo", "R2018a", "removed"),
        ("DifferentialWheels", "R2021a", "deprecated"),
        ("DifferentialWheels", "R2021b", "removed"),
        ("Pose", "V8.3.1", "current"),
    ],
)
def test_the_status_of_a_node_follows_the_release(node, release, status):
    assert schema(Version.parse(release)).node(node).status == status


@pytest.mark.parametrize("known", [OLD, NEW], ids=["8.3.1", "newest"])
def test_solid_devices_are_solids_and_the_others_are_not(known):
    assert known.node("Camera").is_a("Solid")
    assert known.node("Servo").is_a("Solid")
    assert known.node("RotationalMotor").is_a("Device")
    assert not known.node("RotationalMotor").is_a("Solid")
    assert not known.node("Skin").is_a("Solid")


def test_devices_have_a_name_of_their_own():
    assert NEW.node("Camera").fields["name"].default == "camera"
    assert NEW.node("RotationalMotor").fields["name"].default == "rotational motor"


def test_inherited_fields_stand_before_own_ones():
    names = list(NEW.node("HingeJointParameters").fields)
    assert names.index("position") < names.index("anchor") < names.index("stopCFM")


def test_hidden_fields_are_marked():
    assert [f.name for f in NEW.node("Hinge2Joint").fields.values() if f.hidden] == ["position", "position2"]
    assert NEW.node("Solid").fields["linearVelocity"].hidden


@pytest.mark.parametrize(
    ("node", "field", "allowed"),
    [
        ("Solid", "physics", ("Physics",)),
        ("HingeJoint", "device", ("RotationalMotor", "PositionSensor", "Brake")),
        ("SliderJoint", "device", ("LinearMotor", "PositionSensor", "Brake")),
        ("HingeJoint", "jointParameters", ("HingeJointParameters",)),
        ("BallJoint", "endPoint", ("Solid", "Slot", "SolidReference")),
        ("Shape", "appearance", ("Appearance", "PBRAppearance")),
        ("Shape", "geometry", ("Geometry",)),
        ("Slot", "endPoint", ()),
    ],
)
def test_child_types_are_stated_where_the_manual_states_them(node, field, allowed):
    assert NEW.node(node).fields[field].allowed == allowed


def test_every_allowed_child_type_exists():
    named = {one for name in NEW.names() for f in NEW.node(name).fields.values() for one in f.allowed}
    assert {one for one in named if NEW.node(one) is None} == set()


def test_children_take_everything_that_has_a_place_in_space():
    allowed = NEW.node("Robot").fields["children"].allowed
    for name in (
        "Camera",
        "Pose",
        "HingeJoint",
        "Shape",
        "PointLight",
        "Propeller",
        "Skin",
        "Charger",
        "TrackWheel",
    ):
        assert any(NEW.node(name).is_a(one) for one in allowed), name
    for name in ("Physics", "RotationalMotor", "Appearance", "WorldInfo", "Material"):
        assert not any(NEW.node(name).is_a(one) for one in allowed), name


def test_defaults_have_the_form_of_the_tree():
    assert NEW.node("DistanceSensor").fields["lookupTable"].default == VecArray(
        3, [(0, 0, 0), (0.1, 1000, 0)]
    )
    assert NEW.node("Robot").fields["battery"].default == array("d")
    assert NEW.node("Emitter").fields["allowedChannels"].default == array("q")
    assert NEW.node("Solid").fields["physics"].default is None
    assert NEW.node("Group").fields["children"].default == []


def test_a_made_default_is_one_s_own():
    spec = NEW.node("DistanceSensor").fields["lookupTable"]
    mine = spec.make_default()
    mine.append((1, 0, 0))
    assert len(spec.default) == 2
    assert spec.make_default() == spec.default


def test_releases_without_a_difference_share_a_schema():
    assert schema(Version.parse("R2024a")) is schema(Version.parse("R2023b"))
    assert schema(Version.parse("R2021b")) is not schema(Version.parse("R2022a"))
    assert schema(NEWEST) is NEW


def test_releases_before_and_after_all_we_know_are_served():
    assert schema(Version(1)).node("WorldInfo").fields["gravity"].type == "SFVec3f"
    assert schema(Version.parse("R2099a")).node("WorldInfo").fields["gravity"].type == "SFFloat"


@pytest.mark.parametrize(
    ("written", "meant"), [("Roboot", "Robot"), ("camera", "Camera"), ("HingJoint", "HingeJoint")]
)
def test_the_nearest_node_is_found(written, meant):
    assert NEW.nearest(written) == meant


def test_nothing_is_near_a_strange_name():
    assert NEW.nearest("Xylophone9000") is None
    assert NEW.node("Xylophone9000") is None


def test_the_data_names_only_known_nodes_as_bases():
    for known in (OLD, NEW):
        for name in known.names():
            assert all(known.node(base) for base in known.node(name).base), name
            assert name in known.node(name).ancestors


MOST_CALLS = 6_000
"""Some three times what it takes to read the file and to make one node."""


def test_a_schema_is_quickly_there():
    """The file has some 20,000 values; a node is made when it is asked for, and no other."""
    code = (
        "import json; from wbridge.wbcore.scene import schema as s; from tests.work import calls_of\n"
        "print(calls_of(lambda: s.schema().node('Robot')))"
    )
    made = subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True)
    assert int(made.stdout) < MOST_CALLS


def test_the_second_look_costs_nothing():
    schema(Version.parse("R2023b")).node("Robot")
    version = Version.parse("R2023b")
    assert calls_of(lambda: schema(version).node("Robot")) < 10


def test_the_generated_file_says_how_it_was_made():
    content = json.loads(schema_module.DATA.read_text(encoding="utf-8"))
    assert "scripts/generate_schema.py" in content["generated"]
