"""PROTO files: interface, IS, nesting, deriving, scopes and the errors in all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scene.helpers import HEADER, messages, project
from wbridge.wbcore.scene import expand
from wbridge.wbcore.scene.load import LoadOptions, World, load_proto, load_world
from wbridge.wbcore.scene.node import Node


def load(folder: Path, protos: dict[str, str], body: str, **options: object) -> World:
    return load_world(project(folder, protos, body), LoadOptions(**options))  # type: ignore[arg-type]


def clean(folder: Path, protos: dict[str, str], body: str) -> Node:
    """The last top-level node of a project that must load without findings."""
    loaded = load(folder, protos, body)
    assert messages(loaded) == []
    return loaded.nodes[-1]


CRATE = """PROTO Crate [
  field SFVec3f translation 0 0 1
  field SFString{"wood", "metal"} kind "wood"
  field SFVec3f size 1 2 3
  vrmlField SFColor color 0.5 0.5 0.5
  unconnectedField SFString comment ""
  field MFNode extension []
  field SFNode physics Physics { mass 4 }
]
{
  Solid {
    translation IS translation
    children [
      DEF BOX Shape {
        appearance Appearance { material Material { diffuseColor IS color } }
        geometry Box { size IS size }
      }
      Group { children IS extension }
    ]
    boundingObject USE BOX
    physics IS physics
  }
}
"""


def test_parameters_and_defaults_reach_the_body(tmp_path: Path) -> None:
    crate = clean(tmp_path, {"Crate": CRATE}, "Crate { size 4 5 6 }")
    solid = crate.root
    assert (crate.type, solid.type, crate.is_a("Solid"), crate.is_a("Robot")) == (
        "Crate",
        "Solid",
        True,
        False,
    )
    assert solid.get("translation") == (0, 0, 1)
    shape = solid.get("children")[0]
    assert shape.get("geometry").get("size") == (4, 5, 6)
    assert shape.get("appearance").get("material").get("diffuseColor") == (0.5, 0.5, 0.5)
    assert solid.get("boundingObject").use_of is shape
    assert solid.get("physics").get("mass") == 4


def test_instances_do_not_share_anything(tmp_path: Path) -> None:
    loaded = load(tmp_path, {"Crate": CRATE}, "Crate { } Crate { }")
    one, two = loaded.nodes
    one.set("size", (9.0, 9.0, 9.0))
    one.root.get("physics").set("mass", 1.0)
    assert two.root.get("children")[0].get("geometry").get("size") == (1, 2, 3)
    assert two.root.get("physics").get("mass") == 4


def test_a_parameter_and_its_field_are_one(tmp_path: Path) -> None:
    crate = clean(tmp_path, {"Crate": CRATE}, "Crate { }")
    crate.root.set("translation", (7.0, 8.0, 9.0))
    assert crate.get("translation") == (7, 8, 9)
    crate.set("size", (2.0, 2.0, 2.0))
    assert crate.root.get("children")[0].get("geometry").get("size") == (2, 2, 2)


def test_nodes_given_as_parameters_stand_where_the_body_puts_them(tmp_path: Path) -> None:
    crate = clean(tmp_path, {"Crate": CRATE}, "Crate { extension [ DEF E Group { } ] }")
    inner = crate.root.get("children")[1]
    assert inner.get("children")[0].def_name == "E"
    assert inner.get("children")[0].parent is inner


def test_a_node_parameter_used_twice_stands_at_both_places(tmp_path: Path) -> None:
    twice = (
        "PROTO Twice [ field SFNode what NULL ] { Group { children [\n"
        "Shape { geometry IS what } Shape { geometry IS what } ] } }"
    )
    first, second = clean(tmp_path, {"Twice": twice}, "Twice { what Box { size 1 2 3 } }").root.get(
        "children"
    )
    assert first.get("geometry").get("size") == second.get("geometry").get("size") == (1, 2, 3)
    assert first.get("geometry").parent is first and second.get("geometry").parent is second


def test_nested_and_derived_protos(tmp_path: Path) -> None:
    protos = {
        "Crate": CRATE,
        "Red": HEADERLESS_RED,
        "Pair": 'EXTERNPROTO "Red.proto"\nPROTO Pair [ field SFVec3f size 1 1 1 ] '
        "{ Group { children [ Red { edge IS size } Red { } ] } }",
    }
    pair = clean(tmp_path, protos, "Pair { size 2 2 2 }")
    first, second = pair.root.get("children")
    assert (first.type, first.body.type, first.root.type) == ("Red", "Crate", "Solid")
    assert first.root.get("children")[0].get("geometry").get("size") == (2, 2, 2)
    assert second.root.get("children")[0].get("geometry").get("size") == (3, 3, 3)
    assert first.is_a("Solid")


HEADERLESS_RED = (
    'EXTERNPROTO "Crate.proto"\nPROTO Red [ field SFVec3f edge 3 3 3 ] { Crate { size IS edge color 1 0 0 } }'
)


def test_names_inside_and_outside_of_a_proto_are_apart(tmp_path: Path) -> None:
    body = "DEF OUTER Shape { }\nCrate { extension [ USE OUTER ] }\nGroup { children [ USE BOX ] }"
    loaded = load(tmp_path, {"Crate": CRATE}, body)
    assert [d.code for d in loaded.report] == ["unknown-use"]
    assert loaded.find("BOX") is None
    inside = "PROTO In [ ] { Group { children [ USE OUTER ] } }"
    loaded = load(tmp_path / "b", {"In": inside}, "DEF OUTER Shape { }\nIn { }")
    assert [(d.code, Path(d.path).name) for d in loaded.report] == [("unknown-use", "In.proto")]


def test_recursion_is_refused(tmp_path: Path) -> None:
    protos = {
        "A": 'EXTERNPROTO "B.proto"\nPROTO A [ ] { Group { children [ B { } ] } }',
        "B": 'EXTERNPROTO "A.proto"\nPROTO B [ ] { Group { children [ A { } ] } }',
    }
    loaded = load(tmp_path, protos, "A { }")
    assert [(d.code, Path(d.path).name) for d in loaded.report] == [("recursive-proto", "B.proto")]


def test_an_instance_may_hold_another_of_its_kind_in_a_parameter(tmp_path: Path) -> None:
    outer = clean(tmp_path, {"Crate": CRATE}, "Crate { extension [ Crate { extension [ Crate { } ] } ] }")
    inner = outer.root.get("children")[1].get("children")[0]
    assert inner.root.get("children")[1].get("children")[0].root.type == "Solid"


def test_defaults_that_multiply_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expand, "MAX_NODES", 5_000)
    protos = {"Q0": "PROTO Q0 [ ] { Group { } }"}
    for i in range(1, 14):
        inner = f"Q{i - 1} {{ }} " * 3
        protos[f"Q{i}"] = (
            f'EXTERNPROTO "Q{i - 1}.proto"\nPROTO Q{i} [ field MFNode c [ {inner} ] ] {{ Group {{ }} }}'
        )
    loaded = load(tmp_path, protos, "Q13 { }")
    assert [d.code for d in loaded.report] == ["too-many-nodes"]


def test_expansion_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expand, "MAX_NODES", 5_000)
    protos = {"P0": "PROTO P0 [ ] { Group { } }"}
    for i in range(1, 9):
        inner = f"P{i - 1} {{ }} " * 10
        protos[f"P{i}"] = (
            f'EXTERNPROTO "P{i - 1}.proto"\nPROTO P{i} [ ] {{ Group {{ children [ {inner} ] }} }}'
        )
    loaded = load(tmp_path, protos, "P8 { }")
    assert [d.code for d in loaded.report] == ["too-many-nodes"]


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("PROTO X [ field SFFlot a 1 ] { Group { } }", "bad-type", "did you mean 'SFFloat'"),
        ("PROTO X [ feld SFFloat a 1 ] { Group { } }", "bad-field", "did you mean 'field'"),
        ("PROTO X [ field SFFloat a ] { Group { } }", "bad-value", "SFFloat"),
        ("PROTO X [ field SFFloat a 1 field SFFloat a 2 ] { Group { } }", "repeated-field", "declared twice"),
        ("PROTO X [ field SFColor c 1 1 1 ] { Solid { name IS c } }", "type-mismatch", "SFColor"),
        ("PROTO X [ ] { Group { } Group { } }", "proto-root", "2 nodes"),
        ("PROTO X [ ] { }", "proto-root", "no node"),
        ("PROTO X [ ] { Group { } } PROTO Y [ ] { Group { } }", "after-proto", "defines only one PROTO"),
        ("PROTO Y [ ] { Group { } }", "proto-name", "'X'"),
        ("Group { }", "no-proto", "PROTO X"),
        ("PROTO X [ ] Group { }", "no-body", "missing"),
        ("PROTO X [ field SFFloat a 1", "unclosed-interface", "']'"),
        ("PROTO X [ ] { Group {", "unclosed-node", "Group"),
    ],
)
def test_errors_of_a_proto_file_are_told_at_their_place(
    tmp_path: Path, text: str, code: str, words: str
) -> None:
    loaded = load(tmp_path, {"X": text}, "X { }")
    found = {d.code: d for d in loaded.report}
    assert code in found
    assert Path(found[code].path).name == "X.proto" and found[code].line >= 2
    assert words in found[code].message


def test_a_field_that_is_no_field_of_the_interface_keeps_its_default(tmp_path: Path) -> None:
    text = 'PROTO X [ field SFString nam "x" ] {\n  Solid {\n    name IS name\n  }\n}'
    loaded = load(tmp_path, {"X": text}, "X { }")
    (told,) = loaded.report
    assert told.severity == "warning" and told.line == 4
    assert "name IS name: the interface has no such field; did you mean 'nam'?" in told.message
    assert "keeps its default" in told.message
    assert loaded.nodes[0].root.get("name") == "solid"


def test_a_proto_file_can_be_loaded_alone(tmp_path: Path) -> None:
    path = tmp_path / "Crate.proto"
    path.write_text(HEADER + CRATE, encoding="utf-8")
    loaded = load_proto(path)
    assert messages(loaded) == []
    assert loaded.nodes[0].root.get("physics").get("mass") == 4


def test_a_proto_without_header_is_read_as_the_world_that_uses_it(tmp_path: Path) -> None:
    path = project(tmp_path, {}, "Bare { }", header="#VRML_SIM R2021b utf8\n")
    (tmp_path / "protos" / "Bare.proto").write_text("PROTO Bare [ ] { Transform { } }", encoding="utf-8")
    loaded = load_world(path)
    assert [d.code for d in loaded.report] == ["no-header"]
    assert loaded.nodes[0].root.get("rotation") == (0, 1, 0, 0)


PROCEDURAL = """PROTO Row [
  field SFInt32 count 3
  field SFFloat gap 0.5
  field SFNode shape NULL
]
{
  %{ local n = fields.count.value }%
  Group {
    children [
      %{ for i = 1, n do }%
      Transform {
        translation %{=i * fields.gap.value}% 0 0
        children [ Shape { geometry IS shape } ]
      }
      %{ end }%
    ]
  }
}
"""
PROCEDURAL_JS = """# template language: javascript
PROTO RowJs [
  field SFInt32 count 3
]
{
  Group { children [ %< for (let i = 0; i < fields.count.value; ++i) { >% Group { } %< } >% ] }
}
"""


def test_procedural_bodies_in_both_languages(tmp_path: Path) -> None:
    body = "Row { shape Box { } } Row { count 5 gap 2 } RowJs { count 4 }"
    loaded = load(tmp_path, {"Row": PROCEDURAL, "RowJs": PROCEDURAL_JS}, body)
    assert messages(loaded) == []
    three, five, four = (node.root.get("children") for node in loaded.nodes)
    assert [node.get("translation")[0] for node in three] == [0.5, 1, 1.5]
    assert [node.get("translation")[0] for node in five] == [2, 4, 6, 8, 10]
    assert len(four) == 4
    assert [node.get("children")[0].get("geometry").type for node in three] == ["Box"] * 3


def test_a_change_of_a_used_field_builds_the_body_anew(tmp_path: Path) -> None:
    loaded = load(tmp_path, {"Row": PROCEDURAL}, "Row { shape DEF S Box { } }")
    row = loaded.nodes[0]
    before = row.body
    loaded.set(row, "count", 1)
    assert len(row.root.get("children")) == 1 and row.body is not before
    assert row.root.get("children")[0].get("children")[0].get("geometry").def_name == "S"
    again = row.body
    box = loaded.find("S")
    assert box is not None
    loaded.set(box, "size", (1.0, 1.0, 1.0))
    assert row.body is again, "the template does not use this field"


def test_an_error_of_a_template_names_its_line_and_the_instance(tmp_path: Path) -> None:
    bad = "PROTO Bad [ ]\n{\n  Group { }\n  %{ local x = nothing.at.all }%\n}\n"
    loaded = load(tmp_path, {"Bad": bad}, "Bad { }")
    (found,) = loaded.report.errors
    assert (found.code, Path(found.path).name, found.line) == ("template", "Bad.proto", 5)
    assert "test.wbt:3" in found.message


def test_an_error_in_generated_text_leads_to_the_proto_file(tmp_path: Path) -> None:
    bad = "PROTO Bad [ ]\n{\n  %{ for i = 1, 2 do }%\n  %{ end }%\n  Solid { name 5 }\n}\n"
    loaded = load(tmp_path, {"Bad": bad}, "Bad { }")
    (found,) = loaded.report.errors
    assert (found.code, Path(found.path).name, found.line) == ("bad-value", "Bad.proto", 6)
