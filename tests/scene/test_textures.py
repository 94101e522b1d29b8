"""Where a texture's URL leads (manual, 3.37.2)."""

from __future__ import annotations

from pathlib import Path

from tests.scene.helpers import project
from wbridge.wbcore.scene.cache import ModelCache
from wbridge.wbcore.scene.load import LoadOptions, World, load_world
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.textures import find_asset

PROTO = 'PROTO Painted [ ] { Appearance { texture ImageTexture { url [ "textures/a.png" ] } } }'


def picture(folder: Path, name: str = "textures/a.png") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"picture")
    return path


def load(folder: Path, **options: object) -> tuple[World, Node, Node]:
    """A world with one texture in a PROTO and one in the world itself."""
    body = (
        'Appearance { texture ImageTexture { url [ "textures/a.png" ] } }\nShape { appearance Painted { } }'
    )
    loaded = load_world(project(folder, {"Painted": PROTO}, body), LoadOptions(**options))  # type: ignore[arg-type]
    inside = loaded.nodes[1].get("appearance").root.get("texture")
    return loaded, loaded.nodes[0].get("texture"), inside


def test_beside_the_world_and_beside_the_proto(tmp_path: Path) -> None:
    loaded, outside, inside = load(tmp_path)
    assert find_asset(loaded, outside, "textures/a.png") is None
    of_world = picture(tmp_path / "worlds")
    assert find_asset(loaded, outside, "textures/a.png") == of_world
    assert find_asset(loaded, inside, "textures/a.png") == of_world
    of_proto = picture(tmp_path / "protos")
    assert find_asset(loaded, inside, "textures/a.png") == Path(
        tmp_path / "worlds" / ".." / "protos" / "textures" / "a.png"
    )
    assert of_proto.samefile(find_asset(loaded, inside, "textures/a.png") or "")
    assert find_asset(loaded, outside, "textures/a.png") == of_world


def test_absolute_paths_are_taken_as_they_are(tmp_path: Path) -> None:
    loaded, outside, _ = load(tmp_path / "p")
    path = picture(tmp_path, "b.png")
    assert find_asset(loaded, outside, str(path)) == path
    assert find_asset(loaded, outside, f"file://{path}") == path
    assert find_asset(loaded, outside, str(tmp_path / "gone.png")) is None
    assert find_asset(loaded, outside, "") is None


def test_addresses_mean_the_cached_file_or_a_local_one_of_that_name(tmp_path: Path) -> None:
    url = "https://example.org/x/textures/a.png"
    loaded, outside, _ = load(tmp_path / "p", cache=tmp_path / "cache")
    assert find_asset(loaded, outside, url) is None
    local = picture(tmp_path / "p" / "worlds")
    assert find_asset(loaded, outside, url) == local
    cached = ModelCache(tmp_path / "cache").path(url)
    picture(cached.parent, cached.name)
    assert find_asset(loaded, outside, url) == cached
