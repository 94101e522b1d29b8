"""Worlds are saved with the smallest difference from their files."""

from __future__ import annotations

import random
from difflib import unified_diff
from pathlib import Path

import pytest

from wbridge.wbcore.scene.load import load_text, load_world
from wbridge.wbcore.scene.node import Node, walk
from wbridge.wbcore.scene.patching import patched_text
from wbridge.wbcore.scene.saving import save_world
from wbridge.wbcore.scene.writer import world_text
from wbridge.wbcore.simulation import Simulation

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = sorted((ROOT / "worlds").glob("*.wbt"))
ODD = """#VRML_SIM R2023b utf8
# a comment of the file

WorldInfo { basicTimeStep   16.0 # ms
  title "odd, but right" }   Viewpoint { }
# about the box
DEF BOX Solid { # here
    name "box"   translation 0.50  0 .25
  children [ DEF BODY Shape { geometry Box { size 1 1 1 } }, # the body
    USE BODY   Group { } ]
  boundingObject USE BODY
}
Group { children Group { } }

# the end
"""


def changed(text: str, new: str) -> list[str]:
    """The lines that differ, without their places."""
    lines = unified_diff(text.splitlines(), new.splitlines(), lineterm="", n=0)
    return [line for line in lines if line[:3] not in ("---", "+++") and line[:2] != "@@"]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_world_without_changes_keeps_its_bytes(path: Path, tmp_path: Path):
    world = load_world(path)
    assert patched_text(world) == world.source.text


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_marks_stay(tmp_path: Path, ends: str, mark: str):
    raw = (mark + ODD.rstrip("\n").replace("\n", ends)).encode()
    path = tmp_path / "odd.wbt"
    path.write_bytes(raw)
    simulation = Simulation(path)
    box = simulation.world.find("BOX")
    assert box is not None
    save_world(simulation.world, path)
    assert path.read_bytes() == raw
    simulation.set_field(box, "translation", (0.5, 0.0, 2.0))
    save_world(simulation.sync(), path)
    assert path.read_bytes() == raw.replace(b"0.50  0 .25", b"0.5 0 2")


def test_each_kind_of_change_touches_its_own_lines():
    simulation = Simulation(load_text(ODD))
    edits, world = simulation.edits, simulation.world
    box = world.find("BOX")
    assert box is not None
    edits.set(box, "name", "crate")
    assert changed(ODD, patched_text(world)) == [
        '-    name "box"   translation 0.50  0 .25',
        '+    name "crate"   translation 0.50  0 .25',
    ]
    edits.set(box, "name", "box")
    edits.set(box, "locked", True)
    assert changed(ODD, patched_text(world)) == ["+  locked TRUE"]
    edits.set(box, "locked", False)
    box.field("locked").given = False
    assert patched_text(world) == ODD
    inner = box.get("children")[2]
    edits.remove(inner)
    assert changed(ODD, patched_text(world)) == ["-    USE BODY   Group { } ]", "+    USE BODY    ]"]
    last = world.nodes[-1]
    edits.remove(last)
    assert "-Group { children Group { } }" in changed(ODD, patched_text(world))
    added = load_text('#VRML_SIM R2023b utf8\nSolid { name "new" }').nodes[0]
    edits.insert(None, "children", len(world.nodes), added)
    text = patched_text(world)
    assert text.endswith('}\nSolid {\n  name "new"\n}\n\n# the end\n')


def test_declarations_of_models_are_adapted(tmp_path: Path):
    path = tmp_path / "worlds" / "a.wbt"
    path.parent.mkdir()
    (tmp_path / "worlds" / "Post.proto").write_text(
        "#VRML_SIM R2023b utf8\nPROTO Post [ field SFVec3f translation 0 0 0 ] "
        "{ Solid { translation IS translation } }\n"
    )
    path.write_text('#VRML_SIM R2023b utf8\n\nEXTERNPROTO   "Post.proto" # ours\nPost { }\n')
    world = load_world(path)
    (tmp_path / "other").mkdir()
    save_world(world, tmp_path / "other" / "b.wbt")
    saved = (tmp_path / "other" / "b.wbt").read_text()
    assert saved == path.read_text().replace('"Post.proto"', '"../worlds/Post.proto"')
    assert not load_world(tmp_path / "other" / "b.wbt").report.errors


@pytest.mark.parametrize("path", SAMPLES[::5], ids=lambda path: path.stem)
def test_what_was_saved_is_the_same_world(path: Path):
    """Judge: the saved text, loaded again, is written by the other writer as the changed tree is."""
    simulation = Simulation(path)
    world, chance = simulation.world, random.Random(path.stem)
    for _ in range(6):
        nodes = [node for node in walk(world.nodes, into_protos=False) if _is_plain(node)]
        if not nodes:
            break  # all are gone
        node = chance.choice(nodes)
        if chance.random() < 0.3 and node.parent is None:
            simulation.edits.remove(node)
        else:
            place = node.get("translation")
            simulation.edits.set(node, "translation", (place[0] + 1.0, place[1], place[2] + 0.5))
    simulation.step(5)
    world = simulation.sync()
    again = load_text(patched_text(world), world.path)
    assert not again.report.errors
    assert world_text(again) == world_text(world)


def _is_plain(node: Node) -> bool:
    return node.use_of is None and "translation" in node.spec.fields and node.type != "Viewpoint"
