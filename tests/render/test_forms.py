"""Points, lines, colors of grids, normals and materials of files."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from tests.render.formulas import shown
from wbridge.wbcore.render.vertices import unique_rows

NEAR = 2
LIT = "DirectionalLight { direction 1 0 0 intensity 0.5 }"
GREY = "appearance Appearance { material Material { diffuseColor 1 1 1 ambientIntensity 0 } }"


def glowing(color: str, transparency: float = 0.0) -> str:
    return (
        f"appearance Appearance {{ material Material {{ diffuseColor 0 0 0 emissiveColor {color} "
        f"transparency {transparency} }} }}"
    )


def points(more: str, look: str = "") -> str:
    shape = (
        f"Shape {{ {look} geometry PointSet {{ coord Coordinate {{ point [ 2 0 0, 2 0.5 0 ] }} {more} }} }}"
    )
    return f"Pose {{ children [ {shape} ] }}"


def test_points_are_disks_of_4_pixels_with_the_emissive_color(studio):
    """Judge: WbPointSet.cpp (a size of 4), point_set.frag (a disk with the emissive color)."""
    picture = studio.picture(points("", glowing("1 0 0")), size=(34, 34))
    assert picture[16, 16].tolist() == [255, 0, 0] or picture[16, 16, 0] == pytest.approx(shown(1), abs=NEAR)
    assert picture[14:20, 14:20, 0].astype(bool).sum() == 12


def test_points_with_colors_of_their_own(studio):
    """Judge: WbPointSet.cpp: colors are not converted; with fewer colors only the first points are drawn."""
    picture = studio.picture(points("color Color { color [ 0 0.5 0 ] }", glowing("1 0 0")), size=(34, 34))
    assert picture[16, 16].tolist() == [0, pytest.approx(shown(0.5), abs=NEAR), 0]
    assert not picture[:, :14].any()


def test_points_are_transparent(studio):
    """Judge: point_set.frag, which uses the opacity of the material; light is blended, not pixels."""
    picture = studio.picture(points("", glowing("0 0 1", 0.5)), size=(34, 34))
    assert picture[16, 16, 2] == pytest.approx(shown(0.5), abs=NEAR)


def test_lines_to_points_that_do_not_exist_are_left_out(studio):
    """Judge: WbIndexedLineSet.cpp."""
    line = "coord Coordinate { point [ 2 -1 0.01, 2 1 0.01 ] } coordIndex [ 0 7 -1 0 1 -1 -5 1 ]"
    picture = studio.picture(f"Shape {{ {glowing('0 1 0')} geometry IndexedLineSet {{ {line} }} }}")
    assert picture[15:18, 16, 1].max() == pytest.approx(shown(1), abs=NEAR)


FACING = (
    "Transform {{ translation -1 1 -4 rotation 1 0 0 1.5707963 children [ {} ] }}"
    "DirectionalLight {{ direction 0 0 -1 intensity 0.5 }}"
)


def grid(more: str, color: str) -> str:
    geometry = (
        f"ElevationGrid {{ xDimension 3 zDimension 3 height [ 0 0 0 0 0 0 0 0 0 ] "
        f"color Color {{ color [ {color} ] }} {more} }}"
    )
    return f"Shape {{ {GREY} geometry {geometry} }}"


CHESS = "1 0 0, 0 0 1"


def test_two_colors_make_a_checkerboard(studio):
    """Judge: manual of 8.3.1, ElevationGrid; seen from above, x to the right, z down."""
    picture = studio.picture(FACING.format(grid("", CHESS)), release="V8.3.1")
    reds = [bool(picture[row, column, 0]) for row in (12, 20) for column in (12, 20)]
    blues = [bool(picture[row, column, 2]) for row in (12, 20) for column in (12, 20)]
    assert reds == [True, False, False, True]
    assert blues == [False, True, True, False]


def test_a_color_for_each_quadrilateral_and_for_each_point(studio):
    """Judge: manual of 8.3.1, ElevationGrid: the first color is at the origin, then along x."""
    each = grid("colorPerVertex FALSE", "1 0 0, 0 1 0, 0 0 1, 1 1 1")
    picture = studio.picture(FACING.format(each), release="V8.3.1")
    seen = [[bool(c) for c in picture[row, column]] for row in (12, 20) for column in (12, 20)]
    assert seen == [[True, False, False], [False, True, False], [False, False, True], [True, True, True]]
    middle = ", ".join(["0 0 0"] * 4 + ["1 0 0"] + ["0 0 0"] * 4)
    picture = studio.picture(FACING.format(grid("", middle)), release="V8.3.1")
    assert picture[16, 16, 0] == pytest.approx(shown(0.5), abs=6)
    assert 0 < picture[16, 20, 0] < picture[16, 16, 0]


WALL = "v 2 -1 -1\nv 2 -1 1\nv 2 1 1\nv 2 1 -1\n"


def test_pictures_use_the_normals_of_a_file(studio):
    """Judge: Lambert's law with the normal of the file, which is tilted by 60 degrees."""
    (studio.folder / "a.obj").write_text(WALL + "vn -0.5 0 0.8660254\nf 1//1 2//1 3//1 4//1\n")
    picture = studio.picture(f'Shape {{ {GREY} geometry Mesh {{ url "a.obj" }} }} {LIT}')
    assert picture[16, 16, 0] == pytest.approx(shown(0.5 * 0.5), abs=NEAR)


def test_meshes_without_normals_are_smooth(studio):
    """Judge: WbMesh.cpp, whose importer adds smooth normals: those of two walls that meet at a right angle
    are between them at the edge."""
    text = "v 2 0 -1\nv 2 0 1\nv 3 1 1\nv 3 1 -1\nv 3 -1 -1\nv 3 -1 1\nf 1 2 3 4\nf 5 6 2 1\n"
    (studio.folder / "a.obj").write_text(text)
    picture = studio.picture(f'Shape {{ {GREY} geometry Mesh {{ url "a.obj" }} }} {LIT}')
    assert picture[16, 16, 0] == pytest.approx(shown(0.5), abs=4)
    assert picture[16, 2, 0] == picture[16, 30, 0] < picture[16, 16, 0] - 10


def test_a_cad_shape_has_the_materials_of_its_file(studio):
    """Judge: WbPbrAppearance.cpp: Ke is the emissive color, which is not converted; the base color map."""
    (studio.folder / "a.obj").write_text(
        f"mtllib a.mtl\n{WALL}vt 0 0\nvt 0 1\nvt 1 1\nvt 1 0\nusemtl a\nf 1/1 2/2 3/3 4/4\n"
    )
    (studio.folder / "a.mtl").write_text("newmtl a\nKd 0 0 0\nKe 0 0.25 1\n")
    picture = studio.picture('CadShape { url "a.obj" }')
    assert picture[16, 16].tolist() == [
        0,
        pytest.approx(shown(0.25), abs=NEAR),
        pytest.approx(shown(1), abs=NEAR),
    ]
    quarters = np.array([[(255, 0, 0), (0, 255, 0)], [(0, 0, 255), (255, 255, 255)]], dtype=np.uint8)
    pixels = quarters.repeat(8, axis=0).repeat(8, axis=1)
    Image.fromarray(pixels).save(studio.folder / "glow.png")
    (studio.folder / "a.mtl").write_text("newmtl a\nKd 0 0 0\nKe 0 0 0\nmap_Ke glow.png\n")
    picture = studio.picture('CadShape { url "a.obj" }')
    # The camera looks along x: y, and so u, counts to the left.
    seen = [picture[row, column].astype(bool).tolist() for row in (8, 24) for column in (24, 8)]
    assert seen[:2] == [[True, False, False], [False, True, False]]
    assert seen[2] == [False, False, True]


def test_a_billboard_stands_at_the_viewpoint(studio):
    """Judge: WbBillboard.cpp, which places its children at the pose of the Viewpoint."""
    box = f"Shape {{ {glowing('0 1 0')} geometry Box {{ size 0.5 0.5 0.5 }} }}"
    picture = studio.picture(f"Billboard {{ children [ Pose {{ translation 12 0 0 children [ {box} ] }} ] }}")
    assert picture[16, 16, 1] == pytest.approx(shown(1), abs=NEAR)
    assert picture[16, 20, 1]
    viewpoint = studio.simulation.world.first("Viewpoint")
    studio.simulation.set_field(viewpoint, "position", (0.0, 0.0, 10.0))
    assert not studio.take()[16, 16].any()
    studio.simulation.set_field(viewpoint, "position", (2.0, 0.0, 0.0))
    picture = studio.take()
    assert picture[16, 16, 1]
    assert not picture[16, 20, 1]


def test_different_rows_are_those_of_numpy():
    rows = np.random.default_rng(1).integers(-2, 3, size=(500, 8)).astype(np.float32)
    rows[:, 2:] = 0
    expected, numbers = np.unique(rows, axis=0, return_inverse=True)
    different, places = unique_rows(rows)
    assert different.tolist() == expected.tolist()
    assert places.tolist() == numbers.ravel().tolist()
    assert unique_rows(rows[:0])[0].shape == (0, 8)
