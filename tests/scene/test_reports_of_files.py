"""Saved worlds, meshes and textures that users reported as broken, each with a value from outside.

The names and comments name public reports (owner/repository#number).
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.devices.rig import NEW, STEP_MS, Rig, robot, world
from tests.scene.helpers import messages, project
from tests.scene.helpers import world as load
from tests.supervisor.bench import Bench
from wbridge.hal.client import session
from wbridge.wbcore.scene.load import load_world

RED, GREEN = (255, 0, 0), (0, 255, 0)


@pytest.fixture
def bench() -> Callable[..., Bench]:
    yield Bench
    session.activate(None)


@pytest.mark.parametrize("value", [1.6, 0.3, -0.19, 3.141592653589793, 1e-9, 123456.789])
def test_webots_582_numbers_are_saved_as_they_were_set(
    bench: Callable[..., Bench], tmp_path: Path, value: float
):
    """cyberbotics/webots#582, #262, #4329: 1.6 stays 1.6, and pi keeps all its digits."""
    b = bench("DEF P Pose { translation 0 0 0 }")
    b.get("P", "translation").setSFVec3f([value, 0, 0])
    b.tick()
    assert f"translation {value:.16g}".replace("e-09", "e-09") in b.api.getFromDef("P").exportString()
    path = tmp_path / "saved.wbt"
    assert b.api.worldSave(str(path))
    saved = load_world(path)
    assert next(node for node in saved.walk() if node.def_name == "P").get("translation") == (value, 0, 0)


def test_webots_4696_a_robot_with_a_name_that_exists_does_not_stop_the_run(bench: Callable[..., Bench]):
    """cyberbotics/webots#4696: two robots of one name are imported; time goes on, and both are there."""
    b = bench()
    children = b.api.getRoot().getField("children")
    for i in range(2):
        children.importMFNodeFromString(
            -1, f'DEF R{i} Robot {{ name "boss" controller "<none>" translation {i} 0 0 }}'
        )
        b.tick()
    assert b.tick(5) == 0
    assert [b.api.getFromDef(f"R{i}").getPosition()[0] for i in range(2)] == [0, 1]


def test_webots_5082_a_world_with_a_model_that_nothing_uses_is_saved(
    bench: Callable[..., Bench], tmp_path: Path
):
    """cyberbotics/webots#5082: the file is not emptied, and the same nodes come back."""
    proto = "PROTO P [ ] { Pose { } }"
    path = project(tmp_path, {"P": proto, "Q": proto.replace("PROTO P", "PROTO Q")}, "Q { }\n")
    text = path.read_text().partition("utf8\n")[2]
    header = NEW + "".join(line + "\n" for line in text.splitlines() if line.startswith("EXTERN"))
    b = bench("DEF ONLY Q { }", header=header, path=path)
    b.tick()
    for _ in range(2):
        assert b.api.worldSave(str(path))
    saved = load_world(path)
    assert saved.report.errors == []
    assert any(node.def_name == "ONLY" for node in saved.walk())


def test_webots_2097_a_parameter_that_is_set_twice_is_named(tmp_path: Path):
    """cyberbotics/webots#2097: a field twice in an instance: a finding with its name."""
    proto = "PROTO P [ field SFFloat border 1 ] { Pose { translation 0 0 0 children [ Pose { } ] } }"
    found = messages(load_world(project(tmp_path, {"P": proto}, "P { border 2 border 3 }")))
    assert any("border" in one for one in found)


@pytest.mark.parametrize("release", ["R2022b", "R2023a"])
def test_webots_6212_the_field_solid_of_old_worlds_is_read(release: str):
    """cyberbotics/webots#6212: `solid` of IndexedFaceSet, as OSM files of R2022 have it: no finding."""
    shape = (
        "IndexedFaceSet { solid TRUE coord Coordinate { point [ 0 0 0, 1 0 0, 0 1 0 ] } "
        "coordIndex [ 0 1 2 -1 ] }"
    )
    assert messages(load(f"Shape {{ geometry {shape} }}", header=f"#VRML_SIM {release} utf8\n")) == []


QUAD = "v 1 0.5 -0.5\nv 1 -0.5 -0.5\nv 1 -0.5 0.5\nv 1 0.5 0.5\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
FACES = "f 1/1 2/2 3/3\nf 1/1 3/3 4/4\n"


def picture(folder: Path, geometry: str, appearance: str) -> np.ndarray:
    """What a camera sees of a shape 1 m ahead, half transparent to nothing: (16, 16, 3) red, green, blue."""
    text = f"Shape {{ appearance {appearance} geometry {geometry} }}"
    camera = robot('Camera { name "c" width 16 height 16 fieldOfView 0.6 }')
    made = Rig(world(camera, text), path=folder / "w.wbt")
    made.enable("c", period=STEP_MS)
    made.step()
    flat = np.frombuffer(made["c"].get_image(), dtype=np.uint8).reshape(16, 16, 4)
    return flat[:, :, 2::-1].astype(int)


def two_colors(folder: Path) -> str:
    """An appearance that glows red in the upper and green in the lower half of its texture."""
    from PIL import Image

    image = Image.new("RGB", (8, 8), GREEN)
    image.paste(RED, (0, 0, 8, 4))
    image.save(folder / "t.png")
    glow = 'emissiveColorMap ImageTexture { url "t.png" } emissiveColor 1 1 1'
    return f"PBRAppearance {{ baseColor 0 0 0 roughness 1 metalness 0 {glow} }}"


@pytest.mark.parametrize(
    "extra", ["", "####\n# a comment\n####\n\n", "mtllib none.mtl\nusemtl x\ns off\no part\ng all\n"]
)
def test_webots_3945_textures_of_obj_files_stand_upright(tmp_path: Path, extra: str):
    """cyberbotics/webots#3945, #3955, #5313: v grows upward in OBJ files; odd lines and a missing library
    do no harm."""
    (tmp_path / "q.obj").write_text(extra + QUAD + FACES)
    seen = picture(tmp_path, 'Mesh { url "q.obj" }', two_colors(tmp_path))
    upper, lower = seen[3, 8], seen[12, 8]
    assert upper[0] > 150 > 60 > upper[1] and lower[1] > 150 > 60 > lower[0]


def test_webots_3945_indexed_faces_show_the_same(tmp_path: Path):
    """Kin of cyberbotics/webots#3945: the same quad as an IndexedFaceSet."""
    geometry = (
        "IndexedFaceSet { coord Coordinate { point [ 1 0.5 -0.5, 1 -0.5 -0.5, 1 -0.5 0.5, 1 0.5 0.5 ] } "
        "texCoord TextureCoordinate { point [ 0 0, 1 0, 1 1, 0 1 ] } coordIndex [ 0 1 2 3 -1 ] "
        "texCoordIndex [ 0 1 2 3 -1 ] }"
    )
    seen = picture(tmp_path, geometry, two_colors(tmp_path))
    assert seen[3, 8][0] > 150 and seen[12, 8][1] > 150


@pytest.mark.parametrize("is_ahead", [True, False])
@pytest.mark.parametrize("kind", ["binary", "ascii"])
def test_urdf2webots_41_faces_of_stl_files_look_where_their_order_says(
    tmp_path: Path, kind: str, is_ahead: bool
):
    """cyberbotics/urdf2webots#41: counterclockwise triangles are seen from the front only."""
    corners = [(1, 0.5, -0.5), (1, -0.5, -0.5), (1, -0.5, 0.5), (1, 0.5, -0.5), (1, -0.5, 0.5), (1, 0.5, 0.5)]
    triangles = [corners[:3], corners[3:]]
    if is_ahead:
        order = triangles
    else:
        order = [triangle[::-1] for triangle in triangles]
    path = tmp_path / "m.stl"
    if kind == "binary":
        data = b"".join(
            struct.pack("<12fH", 0, 0, 0, *(x for corner in one for x in corner), 0) for one in order
        )
        path.write_bytes(bytes(80) + struct.pack("<I", len(order)) + data)
    else:
        facets = "".join(
            "facet normal 0 0 0\nouter loop\n"
            + "".join("vertex {} {} {}\n".format(*corner) for corner in one)
            + "endloop\nendfacet\n"
            for one in order
        )
        path.write_text(f"solid m\n{facets}endsolid m\n")
    glow = "PBRAppearance { baseColor 0 0 0 roughness 1 metalness 0 emissiveColor 1 0 0 }"
    seen = picture(tmp_path, 'Mesh { url "m.stl" }', glow)
    # The camera looks along x: corners from the left over the right upward are counterclockwise for it.
    assert (seen[8, 8][0] > 150) == is_ahead
