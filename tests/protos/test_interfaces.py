"""The interfaces of the bundled models equal those of the models that users' worlds name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.protos.models import FILES, PROTOS, load
from wbridge.wbcore.scene.load import LoadOptions, load_proto
from wbridge.wbcore.scene.node import values_equal

# Models of which too little is known to make them faithfully.
LEFT_OUT: set[str] = set()

MADE = """
Apple Ball BrushedAluminium Cabinet Can CardboardBox CeilingLight CircleArena Desk Door E-puck
E-puckDistanceSensor E-puckGroundSensors Floor Khepera4 Mavic2Pro Nao OilBarrel Parquetry Pioneer3dx
PlasticCrate PottedTree RectangleArena Roughcast RubberDuck SandyGround SoccerBall SolidBox SolidPipe Table
Pioneer2 TexturedBackground TexturedBackgroundLight Thymio2 TrafficCone TurtleBot3Burger UnevenTerrain UR5e
VarnishedPine Wall Window WoodenBox WoodenChair WoodenPallet
""".split()

# Fields of releases before R2020 that gave way to appearance nodes.
WALL = {"wallTextureUrl", "wallTileSize", "wallTextureTranslation", "topWallColor", "frameTextureUrl"}
REPLACED = {
    "Nao": {"bottomCameraWindowPosition", "topCameraWindowPosition"},
    "Window": WALL,
    "Door": WALL | {"doorTextureUrl"},
    "Cabinet": {"mainTextureUrl", "objectTextureUrl"},
}

# Fields beyond the ones in the data: of later releases, or (RectangleArena, Floor) hidden old ones.
EXTRA = {
    "CeilingLight": {"castShadows", "pointLightRadius"},
    "Cabinet": {"primaryAppearance", "secondaryAppearance"},
    "Door": {"castShadows", "doorAppearance", "doorSlot", "frameAppearance", "position", "wallAppearance"},
    "Floor": {"scale", "texture"},
    "Khepera4": {"supervisor", "window"},
    "Nao": {"color", "gpsAccuracy"},
    "Thymio2": {"supervisor"},
    "Pioneer2": {"supervisor"},
    "Pioneer3dx": {"bodyMass", "maxVelocity", "yellowLed"},
    "PlasticCrate": {"color", "mass", "name", "rotation", "size", "translation"},
    "RectangleArena": {"floorTextureUrl", "wallTextureUrl", "wallColor", "wallTileSize"},
    "SolidBox": {"enableBoundingObject", "recognitionColors"},
    "SolidPipe": {"enableBoundingObject"},
    "UR5e": {"customData", "window"},
    "UnevenTerrain": {"zDimension"},
    "Window": {"castShadows", "frameAppearance", "wallAppearance"},
}

# Defaults that name a picture of the original are our own picture or none.
OWN_DEFAULT = {("SolidBox", "appearance"), ("SolidPipe", "appearance")}

# Some interfaces in the data are of a release with y up; these fields are turned to z up, x forward.
TURNED = {"translation", "size"}


def is_y_up(model: dict) -> bool:
    names = {one["name"]: one["default"] for one in model["interface"]}
    return names.get("rotation") == "0 1 0 0" or model["interface_version"] == "R2021c (Y up)"


def turned(text: str) -> str:
    """x y z of a frame with y up, z towards the viewer, as lengths along the axes of a frame with z up."""
    x, y, z = text.split()
    return f"{z} {x} {y}"


def modern(model: dict) -> list[tuple[str, str, str]]:
    """Type, name and default of each field as of R2025a."""
    result = []
    for one in model["interface"]:
        kind, name, default = one["type"], one["name"], one["default"]
        if name in REPLACED.get(model["name"], ()):
            continue
        if is_y_up(model):
            if name == "rotation":
                default = "0 0 1 0"
            if name in TURNED and kind == "SFVec3f" and default != "0 0 0":
                default = turned(default)
            name = {"zDimension": "yDimension"}.get(name, name)
        if name == "controllerArgs" and kind == "SFString":
            kind, default = "MFString", "[]"
        result.append((kind, name, default))
    return result


def interface(name: str) -> dict:
    return dict(load_proto(FILES[name], LoadOptions(expand=False)).nodes[0].spec.fields)


def without_effect(name: str) -> set[str]:
    """Fields that are accepted so that old worlds load."""
    return set(load_proto(FILES[name], LoadOptions(expand=False)).nodes[0].spec.unconnected)


def expected(folder: Path, model: dict) -> dict:
    """The interface as the data tells it, read by the reader of PROTO files."""
    lines = []
    for kind, name, default in modern(model):
        if re.search(r"\.(jpg|png)", default):
            default = "NULL" if kind == "SFNode" else "[]"
        lines.append(f"  field {kind} {name} {default}")
    text = "\n".join(lines)
    used = [one for one in FILES if re.search(rf"(?<![\w-]){re.escape(one)}\s*\{{", text)]
    externs = "".join(f'EXTERNPROTO "{FILES[one].as_posix()}"\n' for one in used)
    path = folder / "Expected.proto"
    path.write_text(
        f"#VRML_SIM R2025a utf8\n{externs}PROTO Expected [\n{text}\n]\n{{\n  Group {{\n  }}\n}}\n"
    )
    world = load_proto(path, LoadOptions(expand=False))
    assert not world.report.errors
    return dict(world.nodes[0].spec.fields)


def test_every_model_of_the_data_is_made_or_left_out_for_a_reason(facts: dict):
    assert set(facts) == set(MADE) | LEFT_OUT
    assert not LEFT_OUT & set(FILES)


# Slots that hold a model of their own since the data were taken (TurtleBot3Burger.proto of R2025a); a
# controller that a user had set in the file from which the data were taken; defaults that changed
# since (R2022b).
FILLED = {
    ("TurtleBot3Burger", "extensionSlot"),
    ("Nao", "controller"),
    ("Thymio2", "controllerArgs"),
    ("Thymio2", "window"),
    ("TurtleBot3Burger", "rotation"),
    ("Window", "frameSize"),
}


@pytest.mark.parametrize("name", MADE)
def test_interface_equals_the_data(name: str, facts: dict, tmp_path: Path):
    model = {"name": name, **facts[name]}
    mine, theirs = interface(name), expected(tmp_path, model)
    wanted = {field: one["type"] for field, one in ((f[1], {"type": f[0]}) for f in modern(model))}
    assert {field: one.type for field, one in mine.items() if field in wanted} == wanted
    assert set(mine) - set(wanted) - without_effect(name) == EXTRA.get(name, set()) - without_effect(name)
    pictures = {field for _, field, default in modern(model) if re.search(r"\.(jpg|png)", default)}
    different = {
        field: (mine[field].default, theirs[field].default)
        for field in theirs
        if field not in pictures
        and (name, field) not in FILLED
        and not values_equal(mine[field].default, theirs[field].default)
    }
    assert different == {}
    assert {(name, field) for field in pictures if mine[field].type == "SFNode"} <= OWN_DEFAULT


@pytest.mark.parametrize("name", MADE)
def test_every_field_that_users_set_is_there(name: str, facts: dict):
    model = facts[name]
    seen = set(model.get("fields_set_by_users", {}))
    seen |= {one["name"] for one in model.get("more_fields_seen_in_R2022plus_worlds", [])}
    assert seen <= set(interface(name))


@pytest.mark.parametrize("name", MADE)
def test_every_value_that_the_data_lists_is_accepted(name: str, facts: dict):
    for one in facts[name]["interface"]:
        for value in one.get("allowed", []):
            world = load(f"{name} {{\n  {one['name']} {value}\n}}\n")
            assert [str(found) for found in world.report] == [] and world.report.notes == []


@pytest.mark.parametrize("name", sorted(FILES))
def test_file_has_the_project_s_form(name: str):
    text = FILES[name].read_text(encoding="utf-8")
    lines = text.splitlines()
    assert lines[0] == "#VRML_SIM R2025a utf8"
    assert lines[1] == "# license: Apache-2.0"
    assert lines[2].startswith("# ")
    assert max(map(len, lines)) <= 110
    for address in re.findall(r'^EXTERNPROTO "(.*)"', text, re.MULTILINE):
        assert (FILES[name].parent / address).is_file(), address


def test_no_two_models_have_one_name():
    assert len(FILES) == len(list(PROTOS.rglob("*.proto")))
