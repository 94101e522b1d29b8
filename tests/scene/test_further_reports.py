"""More worlds and PROTOs that users reported as broken: each loads, or the finding says what is wrong.

The names and comments name public reports (owner/repository#number).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scene.helpers import messages, project, world
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.node import Node

LUA = "# template language: lua\n"
JAVASCRIPT = "# template language: javascript\n"


def findings(folder: Path, protos: dict[str, str], body: str) -> list[str]:
    return messages(load_world(project(folder, protos, body)))


def last(folder: Path, protos: dict[str, str], body: str) -> Node:
    loaded = load_world(project(folder, protos, body))
    assert messages(loaded) == []
    return loaded.nodes[-1]


@pytest.mark.parametrize("language", ["", LUA, JAVASCRIPT])
def test_webots_1847_a_parameter_of_another_type_is_named(tmp_path: Path, language: str):
    """cyberbotics/webots#1847, #1843: IS between an SFFloat and an MFFloat, in templates as well."""
    proto = (
        f"{language}PROTO P [ field MFFloat mass [ 1 ] ] {{ Solid {{ physics Physics {{ mass IS mass }} }} }}"
    )
    (line,) = [one for one in findings(tmp_path, {"P": proto}, "P { }") if "mass" in one]
    assert "MFFloat" in line and "SFFloat" in line


def test_webots_4204_an_is_without_a_parameter_is_named(tmp_path: Path):
    """cyberbotics/webots#4204: `battery IS battery` without that parameter: one finding with the name."""
    proto = 'PROTO P [ field SFString name "p" ] { Robot { name IS name battery IS battery } }'
    (line,) = findings(tmp_path, {"P": proto}, "P { }")
    assert "battery IS battery" in line and "interface" in line


@pytest.mark.parametrize("body", ["", "# nothing here\n"])
def test_webots_3217_a_proto_without_a_node_says_so(tmp_path: Path, body: str):
    """cyberbotics/webots#3217: not "Bracket issue", but that a node is missing in the body."""
    lines = findings(tmp_path, {"P": f"PROTO P [ ] {{\n{body}}}"}, "P { }")
    assert lines and "bracket" not in " ".join(lines).lower()
    assert any("node" in one for one in lines)


def test_webots_1316_a_solid_with_a_connector_stands_in_a_world(tmp_path: Path):
    """cyberbotics/webots#1316: a PROTO of a Solid with a Connector loads without a finding outside of
    robots.
    """
    proto = (
        "PROTO P [ field SFVec3f translation 0 0 0 ] { Solid { translation IS translation "
        "children [ Connector { } ] } }"
    )
    assert last(tmp_path, {"P": proto}, "P { translation 1 2 3 }").root.get("translation") == (1, 2, 3)


@pytest.mark.parametrize("language", ["lua", "javascript"])
def test_webots_6474_a_def_name_may_come_from_a_template(tmp_path: Path, language: str):
    """cyberbotics/webots#6474: DEF with a name that a template puts together; USE finds it."""
    write = (
        '%{= "LED_" .. fields.suffix.value }%' if language == "lua" else '%<= "LED_" + fields.suffix.value >%'
    )
    proto = (
        f'# template language: {language}\nPROTO P [ field SFString suffix "X" ] {{ Robot {{ '
        f"children [ DEF {write} LED {{ "
        f'name "a" }} Pose {{ children [ Shape {{ geometry DEF G Box {{ size 1 2 3 }} }} ] }} ] '
        f"boundingObject USE G }} }}"
    )
    root = last(tmp_path, {"P": proto}, 'P { suffix "MINUS" }').root
    assert root.get("children")[0].def_name == "LED_MINUS"
    assert root.get("boundingObject").root.get("size") == (1, 2, 3)


def test_webots_4535_fields_of_a_nested_default_are_read(tmp_path: Path):
    """cyberbotics/webots#4535: a node in the default of a parameter of a PROTO within another one."""
    sand = (
        "PROTO Sand [ field SFNode textureTransform NULL ] { Appearance { textureTransform IS "
        "textureTransform } }"
    )
    terrain = (
        "PROTO Terrain [ field SFNode appearance NULL ] { Solid { children [ Shape { "
        "appearance IS appearance } ] } }"
    )
    test = (
        'EXTERNPROTO "Sand.proto"\nEXTERNPROTO "Terrain.proto"\n'
        "PROTO Test [ field SFNode appearance Sand { textureTransform TextureTransform { scale 3 3 } } ] "
        "{ DEF UT Terrain { appearance IS appearance } }"
    )
    root = last(tmp_path, {"Sand": sand, "Terrain": terrain, "Test": test}, "Test { }").root
    look = root.get("children")[0].get("appearance").root
    assert look.get("textureTransform").root.get("scale") == (3, 3)


@pytest.mark.parametrize(
    "text", ["DEF A Pose { } USE A", "DEF A Pose { children [ DEF B Pose { } USE B ] } USE A"]
)
def test_webots_5820_a_used_node_at_the_top_is_loaded_without_a_finding(text: str):
    """cyberbotics/webots#5820."""
    loaded = world(text)
    assert messages(loaded) == []
    assert loaded.nodes[-1].root.type == "Pose"


def test_webots_4976_a_field_that_is_declared_twice_is_named(tmp_path: Path):
    """cyberbotics/webots#4976: `window` twice in the interface of a PROTO: a finding with the name."""
    proto = 'PROTO P [ field SFString window "a" field SFString window "b" ] { Robot { window IS window } }'
    lines = findings(tmp_path, {"P": proto}, "P { }")
    assert len(lines) == 1 and "window" in lines[0]
