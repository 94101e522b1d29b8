"""Every bundled model and sample world is free of findings, and its pictures are there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from tests.protos.models import FILES, PROTOS, findings, load, parts, texture_files
from wbcore.scene.checks import check_world
from wbcore.scene.load import load_proto, load_world

WORLDS = sorted((CHECKOUT / "worlds").glob("*.wbt"))


@pytest.mark.parametrize("name", sorted(FILES))
def test_model_passes_all_checks(name: str):
    world = load_proto(FILES[name])
    check_world(world)
    assert findings(world) == []


@pytest.mark.parametrize("path", WORLDS, ids=lambda path: path.stem)
def test_sample_world_passes_all_checks(path: Path):
    world = load_world(path)
    check_world(world)
    assert findings(world) == []
    assert world.find("ROBOT") or any(node.is_a("WorldInfo") for node in world.nodes)


@pytest.mark.parametrize("name", sorted(FILES))
def test_pictures_that_a_model_names_are_there(name: str):
    world = load_proto(FILES[name])
    for texture in parts(world.nodes[0].root, "ImageTexture"):
        for url in texture.get("url"):
            assert texture.source is not None
            assert (Path(texture.source.path).parent / url).is_file(), url


def test_pictures_are_small_and_all_of_them_are_drawn_by_the_script():
    assert sum(path.stat().st_size for path in texture_files()) < 300_000
    script = (CHECKOUT / "scripts" / "generate_textures.py").read_text(encoding="utf-8")
    unknown = [path.name for path in texture_files() if path.relative_to(PROTOS).as_posix() not in script]
    assert unknown == []


def test_the_texture_script_notices_a_changed_picture(tmp_path: Path):
    (tmp_path / "scripts").mkdir()
    script = tmp_path / "scripts" / "generate_textures.py"
    script.write_bytes((CHECKOUT / "scripts" / "generate_textures.py").read_bytes())
    done = subprocess.run(
        [sys.executable, str(script), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "appearances/textures/asphalt.png" in done.stdout


def test_many_equal_boxes_share_one_generated_body():
    world = load("".join(f'WoodenBox {{\n  translation {n} 0 0\n  name "box {n}"\n}}\n' for n in range(300)))
    assert findings(world) == []
    places = [node.root.get("translation")[0] for node in world.nodes]
    assert places == list(range(300))
