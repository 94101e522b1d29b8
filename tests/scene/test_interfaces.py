"""How a body may use the parameters of its interface, and which values they may have.

Judges: manual, chapters 5.2 and 5.6; in the public source of Webots WbProtoModel::verifyAliasing (types,
parameters without IS), the WbProtoModel constructor (crossed names), WbField::checkValueIsAccepted
(restrictions) and WbNode::createProtoInstance (DEF names in default values).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scene.helpers import messages, project
from wbridge.wbcore.scene.checks import check_world
from wbridge.wbcore.scene.load import World, load_world

FRAME = "\nWorldInfo { }\nViewpoint { }\n"


def load(folder: Path, protos: dict[str, str], body: str) -> World:
    return load_world(project(folder, protos, body + FRAME))


@pytest.mark.parametrize(
    ("declared", "field"),
    [("SFInt32 p 3", "radius"), ("SFFloat p 3", "subdivision"), ("SFBool p TRUE", "radius")],
)
def test_a_parameter_of_another_type_is_a_warning_and_the_field_keeps_its_default(
    tmp_path: Path, declared: str, field: str
) -> None:
    text = f"PROTO Ball [ field {declared} ] {{ Sphere {{ {field} IS p }} }}"
    loaded = load(tmp_path, {"Ball": text}, "Solid { children [ Shape { geometry Ball { } } ] }")
    (found,) = loaded.report
    assert (found.severity, found.code) == ("warning", "type-mismatch")
    assert f"{field} keeps its default" in found.message
    ball = loaded.nodes[0].get("children")[0].get("geometry").root
    assert ball.get(field) == ball.spec.fields[field].default


BASE = (
    'PROTO Base [ field SFString name "x" field SFString model "" ] { Solid { name IS name model IS model } }'
)


def test_crossed_names_in_a_derived_proto_are_an_error(tmp_path: Path) -> None:
    derived = 'PROTO Sub [ field SFString name "x" ] { Base { model IS name } }'
    loaded = load(tmp_path, {"Base": BASE, "Sub": f'EXTERNPROTO "Base.proto"\n{derived}'}, "Sub { }")
    (found,) = loaded.report
    assert (found.severity, found.code) == ("error", "crossed-parameter")
    assert "only 'name IS name' is allowed" in found.message


def test_the_same_name_and_other_names_may_be_passed_to_the_base(tmp_path: Path) -> None:
    interface = 'field SFString name "x" field SFString kind "k"'
    derived = f"PROTO Sub [ {interface} ] {{ Base {{ name IS name model IS kind }} }}"
    loaded = load(tmp_path, {"Base": BASE, "Sub": f'EXTERNPROTO "Base.proto"\n{derived}'}, "Sub { }")
    assert messages(loaded) == []


def test_a_parameter_without_is_is_a_warning(tmp_path: Path) -> None:
    text = (
        'PROTO Box2 [ field SFString name "x" field SFFloat unused 1 unconnectedField SFFloat free 1 ] '
        "{ Solid { name IS name } }"
    )
    loaded = load(tmp_path, {"Box2": text}, 'Box2 { }\nBox2 { name "y" }')
    check_world(loaded)
    (found,) = loaded.report
    assert (found.severity, found.code, found.line) == ("warning", "unconnected-parameter", 2)
    assert "'unused'" in found.message


def test_a_template_may_use_its_parameters_in_statements(tmp_path: Path) -> None:
    text = "PROTO Tall [ field SFFloat height 1 ] { Solid { translation 0 0 %<= fields.height.value >% } }"
    header = "# template language: javascript\n"
    loaded = load(tmp_path, {"Tall": header + text}, "Tall { }")
    check_world(loaded)
    assert messages(loaded) == []


RESTRICTED = (
    'PROTO Kind [ field SFString{"a", "b"} kind "a" field MFString{"a", "b"} kinds [] '
    "unconnectedField SFInt32{1, 2} n 1 field SFVec3f{0 0 0, 1 0 0} at 0 0 0 ] "
    "{ Robot { name IS kind controllerArgs IS kinds translation IS at } }"
)


def test_a_value_outside_of_a_restriction_is_replaced_by_the_default(tmp_path: Path) -> None:
    loaded = load(tmp_path, {"Kind": RESTRICTED}, 'Kind { kind "c" kinds [ "a" "z" "b" ] n 3 at 2 0 0 }')
    assert [(one.severity, one.code) for one in loaded.report] == [("warning", "out-of-range")] * 4
    assert 'Kind.kind is "c"; allowed: "a" or "b"; "a" is used instead' in loaded.report.warnings[0].message
    robot = loaded.nodes[0].root
    assert (robot.get("name"), robot.get("controllerArgs")) == ("a", ["a", "b"])
    assert (loaded.nodes[0].get("n"), robot.get("translation")) == (1, (0, 0, 0))


def test_allowed_values_stay(tmp_path: Path) -> None:
    loaded = load(tmp_path, {"Kind": RESTRICTED}, 'Kind { kind "b" kinds [ "b" ] n 2 at 1 0 0 }')
    assert messages(loaded) == []
    assert loaded.nodes[0].root.get("name") == "b"


PAINTED = (
    "PROTO Painted [ field SFNode paint DEF PAINT Appearance { material Material { } } "
    "field SFNode other NULL field MFNode extra [ ] field SFNode third USE PAINT ] "
    "{ Solid { children [ Shape { appearance IS paint } Shape { appearance IS other } "
    "Shape { appearance IS third } Group { children IS extra } ] } }"
)


def appearances(loaded: World) -> list[object]:
    shapes = loaded.nodes[0].root.get("children")[:3]
    return [one.get("appearance").definition for one in shapes]


def test_a_parameter_may_use_a_node_in_the_default_of_another_one(tmp_path: Path) -> None:
    body = (
        "Painted { other USE PAINT extra [ Shape { appearance USE PAINT } ] }\n"
        'Solid { name "b" children [ Shape { appearance USE PAINT } ] }'
    )
    loaded = load(tmp_path, {"Painted": PAINTED}, body)
    assert messages(loaded) == []
    first, second, third = appearances(loaded)
    assert first is second is third
    extra = loaded.nodes[0].root.get("children")[3].get("children")[0]
    outside = loaded.nodes[1].get("children")[0]
    assert extra.get("appearance").definition is outside.get("appearance").definition is first


def test_a_default_that_was_replaced_names_nothing(tmp_path: Path) -> None:
    loaded = load(tmp_path, {"Painted": PAINTED}, "Painted { paint NULL other USE PAINT third NULL }")
    assert [one.code for one in loaded.report] == ["unknown-use"]


def test_instances_do_not_share_their_defaults(tmp_path: Path) -> None:
    loaded = load(
        tmp_path, {"Painted": PAINTED}, 'Painted { }\nPainted { name "b" }'.replace(' name "b"', "")
    )
    one, two = (node.root.get("children")[2].get("appearance").definition for node in loaded.nodes[:2])
    assert one is not two
