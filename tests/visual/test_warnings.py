"""What cannot be shown is said once, although rays, pictures and browsers all look at it."""

from __future__ import annotations

import struct
import warnings
import zlib
from pathlib import Path

import pytest

from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.view.scene_view import SceneView
from wbridge.wbcore.visual.images import ImageError, read_image

WORLD = """#VRML_SIM R2023b utf8
WorldInfo { }
Viewpoint { }
Background { backUrl "none.png" }
Solid { children [ Shape { appearance PBRAppearance { baseColorMap ImageTexture { url "bad.png" } }
  geometry Box { } } ] }
Solid { name "a" children [ Shape { geometry Mesh { url "none.obj" } } ] }
Solid { name "b" children [ CadShape { url "none.dae" } ] }
Robot { children [ Camera { noiseMaskUrl "gone.png" } ] }
"""
SAID = (
    'Solid > PBRAppearance "PBRAppearance": {folder}/bad.png: not a readable PNG, JPEG or BMP image',
    "Solid \"a\" > Mesh: it is not shown: mesh file 'none.obj' not found",
    "Solid \"b\" > CadShape: it is not shown: file 'none.dae' not found",
    "Background: no sky box: rightUrl is empty",
    'robot "robot": camera "camera": no noise mask: \'gone.png\' not found',
)


def test_what_cannot_be_shown_is_said_once(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    (tmp_path / "bad.png").write_text("no picture")
    simulation = Simulation(load_text(WORLD, str(tmp_path / "world.wbt")))
    simulation.visual.refresh()
    SceneView(simulation).close()
    (camera,) = simulation.robots.list[0].devices
    camera.on_enable(32)
    camera.measure(0.032)
    camera.measure(0.032)
    said = [one.getMessage() for one in caplog.records if one.levelname == "WARNING"]
    assert sorted(said) == sorted("warning: " + one.format(folder=tmp_path) for one in SAID)


def test_a_missing_texture_is_said_once_however_many_walls_use_it(caplog: pytest.LogCaptureFixture):
    wall = 'Solid { name "%s" children [ Shape { appearance Appearance { texture ImageTexture { url "%s" } }'
    wall += " geometry Box { } } ] }\n"
    walls = "".join(wall % (name, f"{name[0]}.png") for name in ("a1", "a2", "a3", "b1"))
    text = f"#VRML_SIM R2023b utf8\nWorldInfo {{ }}\nViewpoint {{ }}\nBackground {{ }}\n{walls}"
    SceneView(Simulation(load_text(text, "/world.wbt"))).close()
    said = [one.getMessage() for one in caplog.records if "not found" in one.getMessage()]
    assert [text.rpartition(": ")[2] for text in said] == [
        "texture 'a.png' not found",
        "texture 'b.png' not found",
    ]


def test_a_missing_mesh_is_said_once_however_many_shapes_use_it(caplog: pytest.LogCaptureFixture):
    url = 'url "no.dae"'
    kinds = (f"Shape {{ geometry Mesh {{ {url} }} }}", f"CadShape {{ {url} }}")
    shapes = "".join(f'Solid {{ name "{k}" children [ {kinds[k % 2]} ] }}\n' for k in range(6))
    text = f"#VRML_SIM R2023b utf8\nWorldInfo {{ }}\nViewpoint {{ }}\nBackground {{ }}\n{shapes}"
    SceneView(Simulation(load_text(text, "/world.wbt"))).close()
    said = [one.getMessage() for one in caplog.records if "not found" in one.getMessage()]
    assert len(said) == 2
    assert said[0].endswith("mesh file 'no.dae' not found") and said[1].endswith(": file 'no.dae' not found")


def png(width: int, height: int) -> bytes:
    """Return the first bytes of a PNG file that claims a size."""
    size = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", size), (b"IDAT", zlib.compress(bytes(100))), (b"IEND", b""))
    parts = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


@pytest.mark.parametrize(
    "size", [(10_000, 9_000), (12_000, 12_000), (60_000, 60_000), (2**31 - 1, 2**31 - 1)]
)
def test_a_small_file_that_claims_to_be_huge_is_not_decoded(tmp_path: Path, size: tuple[int, int]):
    (tmp_path / "a.png").write_bytes(png(*size))
    with warnings.catch_warnings(), pytest.raises(ImageError, match="pixels; allowed: 67108864"):
        warnings.simplefilter("error")
        read_image(tmp_path / "a.png")
