"""Public worlds are saved with the smallest difference. Judge: the bytes of their own files.

Lines of hidden state, which Webots saves for the insides of models, are not compared: the tree has that state
in another form.
"""

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
    assert _shown(_saved(world, tmp_path)) == _shown(raw)
    node = _with_place(world)
    if node is None:
        return
    x, y, z = node.get("translation")
    node.set("translation", (x + 0.125, y, z))
    lines, new = _shown(raw), _shown(_saved(world, tmp_path))
    changes = [
        code for code in SequenceMatcher(None, lines, new, autojunk=False).get_opcodes() if code[0] != "equal"
    ]
    assert len(changes) == 1
    _, first, last, begin, end = changes[0]
    assert last - first <= 1 and end - begin == 1


def _shown(raw: bytes) -> list[bytes]:
    """Return the lines of a file without those of hidden state."""
    return [line for line in raw.splitlines(keepends=True) if not line.lstrip().startswith(b"hidden ")]


def _saved(world: World, folder: Path) -> bytes:
    """Return the bytes of the world saved beside its file, where addresses of models stay the same."""
    path = Path(world.path)
    target = path.with_name(f"{folder.name}.wbt")
    try:
        save_world(world, target)
        return target.read_bytes()
    finally:
        target.unlink(missing_ok=True)


def _with_place(world: World) -> Node | None:
    """The first solid whose place is written in the file."""
    for node in walk(world.nodes, into_protos=False):
        field = node.fields.get("translation")
        if field is not None and field.given and node.is_a("Solid") and node.parent is None:
            return node
    return None
