"""What the parser reads, and what it says of text that it can't read."""

from __future__ import annotations

from array import array

import pytest

from tests.scene.helpers import messages, world
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.values import VecArray


def node(text: str, **options: object) -> Node:
    """The only node of a text that must be free of findings."""
    loaded = world(text, **options)
    assert messages(loaded) == []
    assert len(loaded.nodes) == 1
    return loaded.nodes[0]


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("Transform { translation 1 -2.5 3e-2 }", "translation", (1.0, -2.5, 0.03)),
        ("Transform { translation 1,2,3 }", "translation", (1.0, 2.0, 3.0)),
        ("Transform { translation +.5 1. -0 }", "translation", (0.5, 1.0, 0.0)),
        ("Solid { rotation 0 0 1 1.5708 }", "rotation", (0.0, 0.0, 1.0, 1.5708)),
        ("Material { diffuseColor 0.1 0.2 0.3 }", "diffuseColor", (0.1, 0.2, 0.3)),
        ("Plane { size 2 3 }", "size", (2.0, 3.0)),
        ("Cylinder { height 1E1 }", "height", 10.0),
        ("Cylinder { bottom FALSE }", "bottom", False),
        ("Camera { width 0x20 }", "width", 32),
        ("Camera { width -7 }", "width", -7),
        (r'Solid { name "a \"b\" \\ c\n" }', "name", 'a "b" \\ c\\n'),
        ('Solid { name "två\nlinjer #1" }', "name", "två\nlinjer #1"),
        ("Robot { battery [ 1 2, 3 ] }", "battery", array("d", [1, 2, 3])),
        ("Robot { battery 4 }", "battery", array("d", [4])),
        ("Robot { battery [ ] }", "battery", array("d")),
        ('WorldInfo { info [ "a", "b" ] }', "info", ["a", "b"]),
        ('WorldInfo { info "a" }', "info", ["a"]),
        ("Coordinate { point [ 1 2 3 4 5 6 ] }", "point", VecArray(3, [(1, 2, 3), (4, 5, 6)])),
        ("Coordinate { point [ 1 2 3 # first\n 4 5 6 ] }", "point", VecArray(3, [(1, 2, 3), (4, 5, 6)])),
        ("Coordinate { point 1 2 3 }", "point", VecArray(3, [(1, 2, 3)])),
        ("IndexedFaceSet { coordIndex [ 0 1 2 -1 ] }", "coordIndex", array("q", [0, 1, 2, -1])),
        ("Solid { boundingObject NULL }", "boundingObject", None),
        ("Solid{children[]}", "children", []),
    ],
)
def test_values(text: str, field: str, value: object) -> None:
    assert node(text).fields[field].value == value
    assert type(node(text).fields[field].value) is type(value)


def test_nested_nodes_know_their_parent_and_place() -> None:
    loaded = world("Solid {\n  children [\n    DEF S Shape { geometry Box { size 1 2 3 } }\n  ]\n}\n")
    solid = loaded.nodes[0]
    (shape,) = solid.get("children")
    box = shape.get("geometry")
    assert (shape.def_name, box.type, box.get("size")) == ("S", "Box", (1.0, 2.0, 3.0))
    assert (box.parent, shape.parent, solid.parent) == (shape, solid, None)
    assert loaded.source.place(box.offset) == (4, 28)
    assert loaded.source.place(box.fields["size"].offset) == (4, 34)


def test_defaults_follow_the_version_of_the_file() -> None:
    new, old = node("Robot { }"), node("Robot { }", header="#VRML_SIM V8.3.1 utf8\n")
    assert new.get("controller") == "<generic>"
    assert old.get("controller") == "void"
    assert node("Transform { }", header="#VRML_SIM R2021b utf8\n").get("rotation") == (0, 1, 0, 0)
    assert node("Transform { }").get("rotation") == (0, 0, 1, 0)


@pytest.mark.parametrize(
    ("header", "gravity"), [("#VRML_SIM V8.5 utf8\n", (0.0, -9.8, 0.0)), ("#VRML_SIM R2023b utf8\n", 9.8)]
)
def test_gravity_is_a_vector_or_a_number(header: str, gravity: object) -> None:
    for given in ("0 -9.8 0", "9.8"):
        info = node(f"WorldInfo {{ gravity {given} }}", header=header)
        assert info.get("gravity") == ((0.0, -9.8, 0.0) if " " in given else 9.8)
    assert type(node("WorldInfo { }", header=header).get("gravity")) is type(gravity)


def test_former_field_names_give_the_present_field() -> None:
    assert node('Robot { data "x" }', header="#VRML_SIM V8.3 utf8\n").get("customData") == "x"


def test_use_shares_the_fields_of_the_nearest_definition_before_it() -> None:
    loaded = world(
        "DEF A Shape { geometry DEF G Box { size 1 1 1 } }\n"
        "Solid { boundingObject USE G }\n"
        "DEF A Shape { geometry DEF G Box { size 2 2 2 } }\n"
        "Solid { boundingObject USE G children [ USE A ] }\n"
    )
    assert messages(loaded) == []
    first, second = loaded.nodes[1], loaded.nodes[3]
    assert first.get("boundingObject").get("size") == (1, 1, 1)
    assert second.get("boundingObject").get("size") == (2, 2, 2)
    used = second.get("children")[0]
    assert used.use_of is loaded.nodes[2] and used.parent is second
    used.set("geometry", None)
    assert loaded.nodes[2].get("geometry") is None


def test_hidden_fields() -> None:
    solid = node("Solid { hidden linearVelocity 1 0 0 hidden translation_3 1 2 3 }")
    assert solid.fields["linearVelocity"].hidden and solid.get("linearVelocity") == (1, 0, 0)
    assert solid.fields["translation_3"].value == (1, 2, 3)


def test_windows_and_old_mac_line_ends_and_a_byte_order_mark_change_nothing() -> None:
    text = 'Solid {\n# comment\n  name "a" # b\n}\n'
    for variant in (text.replace("\n", "\r\n"), text.replace("\n", "\r")):
        assert node(variant).get("name") == "a"
    assert messages(world(text, header="\ufeff#VRML_SIM R2023b utf8\n")) == []


_VECTOR = "2:21 error bad-value: field 'translation' (SFVec3f) needs 3 finite numbers, found '1'"
_LIST = "field 'children' (MFNode) needs a list [ ] of nodes, USE or NULL, found '5'"
_TWICE = "field 'name' is given twice in this Solid; the last one counts"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Solid { translation 1 2 }", _VECTOR),
        ('Solid { translation 1 2 1e999 name "x" }', _VECTOR),
        (
            "Solid { translation 1 2 3 4 }",
            "2:27 error unexpected: found '4' where a field of Solid or '}' is expected",
        ),
        (
            "Solid { translation nan 2 3 }",
            "2:21 error bad-value: field 'translation' (SFVec3f) needs 3 finite numbers, found 'nan'",
        ),
        (
            "Solid { locked true }",
            "2:16 error bad-value: field 'locked' (SFBool) needs TRUE or FALSE, found 'true'; "
            "did you mean TRUE?",
        ),
        (
            "Solid { name box }",
            "2:14 error bad-value: field 'name' (SFString) needs a string in double quotes (\"...\"), "
            "found 'box'",
        ),
        (
            "Camera { width 1.5 }",
            "2:16 error bad-value: field 'width' (SFInt32) needs a whole number, found '1.5'",
        ),
        (
            'Solid { nam "x" }',
            "2:9 warning unknown-field: Solid has no field 'nam'; ignored; did you mean 'name'?",
        ),
        ('Solid { name "a" name "b" }', f"2:18 warning repeated-field: {_TWICE}"),
        (
            "Solid { boundingObject USE X }",
            "2:28 error unknown-use: USE X: no node before this has this DEF name",
        ),
        (
            "DEF A Solid { children [ USE A ] }",
            "2:30 error recursive-use: USE A is inside the node that it names",
        ),
        (
            "DEF IS Solid { }",
            "2:5 error reserved-name: DEF IS: this word is reserved and can't name a node",
        ),
        (
            "Solid { name IS x }",
            "2:14 error is-outside-proto: IS stands outside of a PROTO body (field 'name')",
        ),
        (
            "Solid { children [ Group { } ",
            "2:29 error unclosed-list: this list of nodes is not closed by ']'",
        ),
        (
            'Solid { name "x',
            "2:14 error unclosed-string: the string that starts here is not closed",
        ),
        ("}", "2:1 error unexpected: found '}' where a node is expected"),
        ("Solid { children 5 }", f"2:18 error bad-value: {_LIST}"),
    ],
)
def test_messages(text: str, expected: str) -> None:
    assert messages(world(text + "\n"))[0] == expected


def test_all_problems_are_told_in_one_pass() -> None:
    loaded = world(
        "Solid {\n  translation 1 x 3\n  name 5\n  children [ Box { size 1 } Nothing { a 1 } ]\n}\n"
        + 'Solid { nme "a" }\n'
    )
    assert [(d.line, d.code) for d in loaded.report] == [
        (3, "bad-value"), (4, "bad-value"), (5, "bad-value"), (7, "unknown-field"), (5, "missing-model"),
    ]  # fmt: skip


def test_after_a_bad_value_the_next_field_is_read() -> None:
    loaded = world('Solid { name 3 colour 1 locked maybe translation 1 2 x model "m" }')
    assert [d.code for d in loaded.report] == ["bad-value", "unknown-field", "bad-value", "bad-value"]
    assert loaded.nodes[0].get("model") == "m"


def test_an_unknown_field_is_kept_and_read_whatever_its_value() -> None:
    text = (
        'Solid { a 1 b 1 2 c 1 2 3 d 1 2 3 4 e 1 2 3 4 5 f "x" g [ "x" "y" ] h TRUE i [ 1 2 ] '
        'j Box { } k [ Box { } Sphere { } ] l [ ] m NULL n [ TRUE ] name "last" }'
    )
    solid = world(text).nodes[0]
    assert [field.spec.type for name, field in solid.fields.items() if name != "name"] == (
        "SFFloat SFVec2f SFVec3f SFRotation MFFloat SFString MFString SFBool MFFloat "
        "SFNode MFNode MFNode SFNode MFBool"
    ).split()
    assert solid.get("name") == "last"


def test_depth_is_limited_with_a_message() -> None:
    loaded = world("Group { children [ " * 20_000)
    assert "too-deep" in {d.code for d in loaded.report}


def test_uses_that_multiply_are_limited() -> None:
    lines = ["DEF N0 Group { }"]
    lines += [f"DEF N{i} Group {{ children [ {' '.join([f'USE N{i - 1}'] * 10)} ] }}" for i in range(1, 12)]
    loaded = world("\n".join(lines))
    assert "too-many-uses" in {d.code for d in loaded.report}
