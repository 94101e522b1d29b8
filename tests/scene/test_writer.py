"""Saving: the text that is written, and that it reads back as the same tree."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scene.helpers import HEADER, project, world
from wbridge.wbcore.scene.load import load_text, load_world
from wbridge.wbcore.scene.node import Field, Node, copy_tree, first_difference
from wbridge.wbcore.scene.saving import save_world
from wbridge.wbcore.scene.schema import schema
from wbridge.wbcore.scene.writer import node_text, world_text

FILE = """#VRML_SIM R2023b utf8
# window comment: 1 2 3
#second

EXTERNPROTO "https://example.org/Floor.proto"
IMPORTABLE EXTERNPROTO "https://example.org/Wall.proto"

WorldInfo {
  info [
    "a \\"quoted\\" word"
    "b"
  ]
  gravity 9.80665
}
DEF ROBOT Robot {
  hidden linearVelocity 0.1 0 -2e-17
  translation 0.1 2 -3
  children [
    DEF SHAPE Shape {
      geometry IndexedFaceSet {
        coord Coordinate {
          point [
            0 0 0
            1.5 0 0
            0 1e-07 0
          ]
        }
        coordIndex [
          0 1 2 -1
        ]
      }
    }
    USE SHAPE
  ]
  boundingObject USE SHAPE
  controllerArgs [
  ]
  supervisor TRUE
  battery [ ]
}
"""


def test_a_written_file_is_the_file_that_was_read() -> None:
    text = FILE.replace("  controllerArgs [\n  ]\n", "  controllerArgs [ ]\n")
    assert world_text(load_text(text)) == text


def test_what_does_not_depend_on_layout_is_normalized() -> None:
    messy = 'Solid{translation 1.0,2.50 , 3e0 # here\n name"x"children[Group{}Group{}]}'
    assert world_text(world(messy)) == (
        HEADER
        + '\nSolid {\n  translation 1 2.5 3\n  name "x"\n  children [\n'
        + "    Group {\n    }\n" * 2
        + "  ]\n}\n"
    )


@pytest.mark.parametrize("number", [0.1, 1 / 3, 1e300, 5e-324, -0.0, 123456789.123, 2.0**53])
def test_numbers_read_back_exactly(number: float) -> None:
    solid = world("Solid { }").nodes[0]
    solid.set("translation", (number, 0.0, 0.0))
    solid.fields["translation"].given = True
    again = load_text(HEADER + node_text(solid)).nodes[0]
    assert str(again.get("translation")[0]) == str(number)


def test_instances_are_written_with_what_differs_from_the_default(tmp_path: Path) -> None:
    proto = (
        "PROTO P [ field SFVec3f translation 0 0 0 field SFFloat a 1 field SFNode n Box { } ]\n"
        "{ Solid { translation IS translation children [ Shape { geometry IS n } ] } }"
    )
    loaded = load_world(project(tmp_path, {"P": proto}, "P { a 2 hidden translation_0 0 0 3 }"))
    assert node_text(loaded.nodes[0]) == "P {\n  a 2\n  hidden translation_0 0 0 3\n  translation 0 0 3\n}\n"
    loaded.nodes[0].set("n", None)
    assert "n NULL" in node_text(loaded.nodes[0])


def test_a_use_without_its_definition_before_it_is_written_out() -> None:
    loaded = world("DEF A Box { size 1 2 3 }\nShape { geometry USE A }\nDEF A Box { size 4 5 6 }\n")
    loaded.nodes[0], loaded.nodes[1] = loaded.nodes[1], loaded.nodes[0]
    text = world_text(loaded)
    assert "geometry DEF A Box {\n    size 1 2 3" in text
    again = load_text(text)
    assert again.nodes[0].get("geometry").get("size") == (1, 2, 3)


def test_saving_replaces_a_file_only_when_it_is_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.wbt"
    path.write_text("old", encoding="utf-8")
    loaded = load_text(FILE)

    def fail(*_: object) -> None:
        raise OSError("disk full")

    with monkeypatch.context() as patch, pytest.raises(OSError, match="disk full"):
        patch.setattr("os.replace", fail)
        save_world(loaded, path)
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]
    save_world(loaded, path)
    assert first_difference(load_world(path).nodes, loaded.nodes) is None


def test_a_world_saved_elsewhere_names_the_same_models(tmp_path: Path) -> None:
    model = tmp_path / "protos" / "Mine.proto"
    model.parent.mkdir()
    model.write_text("#VRML_SIM R2023b utf8\nPROTO Mine [ ] { Solid { } }\n", encoding="utf-8")
    far = "https://example.com/protos/RectangleArena.proto"
    names = "".join(f'EXTERNPROTO "{url}"\n' for url in ("../protos/Mine.proto", far))
    world = tmp_path / "worlds" / "a.wbt"
    world.parent.mkdir()
    world.write_text(f"#VRML_SIM R2023b utf8\n{names}Mine {{ }}\n", encoding="utf-8")
    target = tmp_path / "results" / "today" / "b.wbt"
    target.parent.mkdir(parents=True)
    save_world(load_world(world), target)
    saved = load_world(target)
    assert saved.report.errors == []
    assert [one.url for one in saved.header.externs] == ["../../protos/Mine.proto", far]
    save_world(load_world(world), world.with_name("c.wbt"))
    assert '"../protos/Mine.proto"' in world.with_name("c.wbt").read_text(encoding="utf-8")


def test_a_copy_equals_its_original_and_is_independent() -> None:
    loaded = load_text(FILE)
    robot = loaded.nodes[1]
    copy = copy_tree(robot)
    assert first_difference(copy, robot) is None
    assert copy.get("boundingObject").use_of is copy.get("children")[0]
    copy.get("children")[0].get("geometry").get("coord").get("point")[0] = (9, 9, 9)
    assert robot.get("children")[0].get("geometry").get("coord").get("point")[0] == (0, 0, 0)


def test_differences_are_named() -> None:
    a, b = (
        world("Solid { children [ Group { } DEF X Box { size 1 2 3 } ] }"),
        world("Solid { children [ Group { } DEF X Box { size 1 2 4 } ] }"),
    )
    assert (
        first_difference(a.nodes, b.nodes)
        == "[0]/Solid.children[1]/X.size: (1.0, 2.0, 3.0) and (1.0, 2.0, 4.0)"
    )


def test_trees_made_by_programs_are_written_too() -> None:
    spec = schema().node("Box")
    assert spec is not None
    box = Node(spec)
    box.fields["size"] = Field(spec.fields["size"], (1.0, 2.0, 3.0))
    assert node_text(box) == "Box {\n  size 1 2 3\n}\n"
