"""Public worlds are saved with the smallest difference. Judge: the bytes of their own files."""

from __future__ import annotations

from difflib import SequenceMatcher
from pathlib import Path

import pytest

from scripts.corpus import Project
from tests.corpus.worlds import worlds
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.node import Node, walk
from wbridge.wbcore.scene.saving import save_world
from wbridge.wbcore.scene.world import World

WORLDS = worlds()


@pytest.mark.parametrize(("project", "path"), WORLDS)
def test_a_world_keeps_its_bytes(project: Project | None, path: Path, tmp_path: Path):
    """Comments, order, spelling of numbers, line ends; then one number is changed, and nothing else."""
    raw = path.read_bytes()
    world = load_world(path)
    written = _saved(world, tmp_path)
    assert written == raw
    node = _with_place(world)
    if node is None:
        return
    x, y, z = node.get("translation")
    node.set("translation", (x + 0.125, y, z))
    lines, new = raw.splitlines(), _saved(world, tmp_path).splitlines()
    changes = [code for code in SequenceMatcher(None, lines, new, False).get_opcodes() if code[0] != "equal"]
    assert len(changes) == 1
    _, first, last, begin, end = changes[0]
    assert last - first <= 1 and end - begin == 1


def _saved(world: World, folder: Path) -> bytes:
    """Return the bytes of the file in its own folder, without writing it there."""
    path = Path(world.path)
    raw = path.read_bytes()
    try:
        save_world(world, path)
        return path.read_bytes()
    finally:
        path.write_bytes(raw)


def _with_place(world: World) -> Node | None:
    """The first solid whose place is written in the file."""
    for node in walk(world.nodes, into_protos=False):
        field = node.fields.get("translation")
        if field is not None and field.given and node.is_a("Solid") and node.parent is None:
            return node
    return None
