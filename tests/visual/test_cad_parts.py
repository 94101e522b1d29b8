"""CadShape: parts by material, their colors and textures, the files that they may use, and changes."""

from __future__ import annotations

import os
from pathlib import Path

import PIL.Image
import pytest

from tests.physics.worlds import NEW
from wbridge.wbcore.physics.pose import IDENTITY
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.visual.cad_parts import parts_of

WALL = (
    "mtllib wall.mtl\nv 2 -1 -1\nv 2 -1 1\nv 2 1 1\nv 2 1 -1\nv 2 3 1\nv 2 3 -1\n"
    "vt 0 0\nvt 0 1\nvt 1 1\nvt 1 0\n"
    "usemtl red\nf 1/1 2/2 3/3 4/4\nusemtl wood\nf 4/1 3/2 5/3 6/4\nusemtl unknown\nf 1 2 3\n"
)
LIBRARY = "newmtl red\nKd 1 0 0\nNs 51\nnewmtl wood\nKd 1 1 1\nmap_Kd textures/wood.png\n"


def simulation(folder: Path, fields: str = 'url "../models/wall.obj"', around: str = "{}") -> Simulation:
    (folder / "worlds").mkdir(exist_ok=True)
    shape = around.format(f"DEF CAD CadShape {{ {fields} }}")
    world = load_text(f"{NEW}WorldInfo {{ }}\n{shape}", str(folder / "worlds" / "test.wbt"))
    assert world.report.errors == []
    return Simulation(world)


def seen(s: Simulation, y: float, z: float = 0.0) -> tuple[float, tuple[float, ...]]:
    """Distance and color of what a ray along x meets; 100 m without anything."""
    rays = s.visual.rays(None, IDENTITY._replace(position=(0, y, z)), [(1.0, 0.0, 0.0)], 100)
    s.visual.refresh()
    rays.cast()
    return float(rays.distances[0]), rays.look(0)[0] if rays.distances[0] < 100 else ()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "models" / "textures").mkdir(parents=True)
    (tmp_path / "models" / "wall.obj").write_text(WALL)
    (tmp_path / "models" / "wall.mtl").write_text(LIBRARY)
    picture = PIL.Image.new("RGB", (2, 2), (0, 0, 255))
    picture.putpixel((1, 0), (0, 255, 0))  # right, top
    picture.save(tmp_path / "models" / "textures" / "wood.png")
    return tmp_path


def test_each_material_has_its_color_and_texture(project: Path):
    """Judge: manual, chapter CadShape; texture coordinates of the file (WbCadShape.cpp)."""
    s = simulation(project)
    assert seen(s, 0.5) == (pytest.approx(2), (1, 0, 0))
    assert seen(s, 2.5, 0.5) == (pytest.approx(2), (0, 1, 0))
    assert seen(s, 2.5, -0.5) == (pytest.approx(2), (0, 0, 1))


def test_it_is_placed_scaled_and_turned_inside_out(project: Path):
    around = "Transform {{ scale 2 1 1 children [ {} ] }}"
    s = simulation(project, around=around)
    assert seen(s, 0.5)[0] == pytest.approx(4)
    s.set_field(s.node("CAD").node, "ccw", False)
    assert seen(s, 0.5)[0] == 100
    s.set_field(s.node("CAD").node, "ccw", True)
    assert seen(s, 0.5)[0] == pytest.approx(4)


def test_parts_stay_the_same_until_the_file_changes(project: Path):
    s = simulation(project)
    world, cad = s.world, s.node("CAD").node
    before = parts_of(world, cad)
    assert parts_of(world, cad) is before
    (project / "models" / "wall.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    os.utime(project / "models" / "wall.obj", ns=(1, 1))
    assert [len(before), len(parts_of(world, cad))] == [3, 1]


def test_collada_is_taken_to_z_up(project: Path):
    """Judge: WbCadShape.cpp, which turns COLLADA scenes by 90 degrees about x; without up_axis y is up."""
    (project / "models" / "a.dae").write_text(
        '<COLLADA><library_geometries><geometry id="g"><mesh><source id="p"><float_array id="q" count="9">'
        '2 0 0 2 1 0 2 0 -1</float_array></source><vertices id="v"><input semantic="POSITION" source="#p"/>'
        '</vertices><triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p>'
        "</triangles></mesh></geometry></library_geometries></COLLADA>"
    )
    s = simulation(project, 'url "../models/a.dae"')
    assert seen(s, 0.2, 0.2) == (pytest.approx(2), (0.6, 0.6, 0.6))
    assert seen(s, -0.2, 0.2)[0] == 100


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ('url "none.obj"', "file 'none.obj' not found"),
        ('url "../models/wall.mtl"', "neither a COLLADA"),
        ('url "../models/bad.obj"', "line 1: 'v 1' is not a vertex"),
    ],
)
def test_files_that_cannot_be_used(project: Path, caplog: pytest.LogCaptureFixture, fields: str, said: str):
    (project / "models" / "bad.obj").write_text("v 1\n")
    s = simulation(project, fields)
    assert seen(s, 0.5)[0] == 100
    assert said in caplog.text


def test_a_model_cannot_use_files_outside_of_the_project(project: Path, caplog: pytest.LogCaptureFixture):
    outside = project.parent / "secret.png"
    PIL.Image.new("RGB", (1, 1), (9, 9, 9)).save(outside)
    for name in ("../../secret.png", str(outside), "../models/../../secret.png"):
        (project / "models" / "wall.mtl").write_text(f"newmtl red\nKd 1 1 0\nmap_Kd {name}\n")
        assert seen(simulation(project), 0.5)[1] == (1, 1, 0)
        assert f"texture '{name}' is not used" in caplog.text
        caplog.clear()
    (project / "models" / "link.png").symlink_to(outside)
    (project / "models" / "wall.mtl").write_text("newmtl red\nmap_Kd link.png\n")
    assert seen(simulation(project), 0.5)[1] == pytest.approx((0.6, 0.6, 0.6))
    assert "texture 'link.png' is not used" in caplog.text
