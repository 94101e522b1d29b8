"""Bounding objects become geometries: kinds, sizes, places, axes; what cannot be used is said."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tests.physics.worlds import NEW, OLD, plan
from wbridge.wbcore.physics.plan import Geometry
from wbridge.wbcore.physics.planner import make_plan
from wbridge.wbcore.scene.load import load_text

R2021B = "#VRML_SIM R2021b utf8\n"


def geometries(bounding: str, header: str = NEW, before: str = "") -> list[Geometry]:
    made = plan(f"{before} DEF S Solid {{ boundingObject {bounding} }}", header)
    assert list(made.report) == [], [str(one) for one in made.report]
    return made.parts[-1].solids[0].geometries


def one(bounding: str, header: str = NEW) -> Geometry:
    (only,) = geometries(bounding, header)
    return only


@pytest.mark.parametrize(
    ("text", "kind", "size"),
    [
        ("Box { size 1 2 3 }", "box", (1, 2, 3)),
        ("Sphere { radius 0.5 }", "sphere", (0.5,)),
        ("Capsule { radius 0.1 height 0.4 }", "capsule", (0.1, 0.4)),
        ("Cylinder { radius 0.1 height 0.4 }", "cylinder", (0.1, 0.4)),
        ("Plane { }", "plane", ()),
        ("Shape { geometry Box { size 1 1 1 } }", "box", (1, 1, 1)),
    ],
)
def test_primitives(text: str, kind: str, size: tuple[float, ...]):
    made = one(text)
    assert (made.kind, made.size, made.up) == (kind, size, "z")


def test_round_shapes_of_old_files_stand_along_y():
    assert one("Cylinder { }", OLD).up == "y"


def test_poses_nest_and_scale():
    text = """Transform { translation 1 0 0 scale 2 2 3 children [
      Pose { translation 0 1 0 children [ Cylinder { radius 0.1 height 1 } ] } ] }"""
    made = one(text)
    assert made.offset.position == (1, 2, 0)
    assert made.size == pytest.approx((0.2, 3))


def test_a_use_stands_where_it_is_used():
    before = (
        "Pose { children [ DEF B Pose { translation 1 0 0 children [ "
        "Shape { geometry Box { size 1 1 1 } } ] } ] }"
    )
    (made,) = geometries("USE B", before=before)
    assert made.offset.position == (1, 0, 0)


def test_an_elevation_grid_has_rows_along_y_in_new_files_and_along_z_in_old_ones():
    new = one(
        "ElevationGrid { xDimension 3 yDimension 2 xSpacing 0.5 ySpacing "
        "2 thickness 0.1 height [ 1 2 3 4 5 6 ] }"
    )
    assert new.heights == [[1, 2, 3], [4, 5, 6]]
    assert (new.size, new.up) == ((0.5, 2, 0.1), "z")
    old = one("ElevationGrid { xDimension 2 zDimension 3 zSpacing 2 height [ 1 2 3 4 5 6 ] }", OLD)
    assert old.heights == [[1, 2], [3, 4], [5, 6]]
    assert (old.size, old.up) == ((1, 2, 1), "y")


def test_missing_heights_count_0():
    assert one("ElevationGrid { xDimension 2 yDimension 2 height [ 1 ] }").heights == [[1, 0], [0, 0]]


def test_faces_become_triangles_also_concave_ones():
    text = """IndexedFaceSet { coord Coordinate { point [ 0 0 0, 4 0 0, 4 4 0, 1 1 0, 0 4 0 ] }
      coordIndex [ 0 1 2 3 4 -1 ] }"""
    mesh = one(text).mesh
    corners = mesh.vertices[mesh.triangles]
    areas = 0.5 * (
        (corners[:, 1] - corners[:, 0]).T[0] * (corners[:, 2] - corners[:, 0]).T[1]
        - (corners[:, 1] - corners[:, 0]).T[1] * (corners[:, 2] - corners[:, 0]).T[0]
    )
    assert (areas > 0).all()
    # The square of 16 without the notch: the triangle (4, 4), (1, 1), (0, 4) of area 6.
    assert areas.sum() == pytest.approx(16 - 6)


def test_clockwise_faces_are_turned():
    text = (
        "IndexedFaceSet { ccw FALSE coord Coordinate { point [ 0 0 0, 1 0 0, 0 1 0 ] } coordIndex [ 0 1 2 ] }"
    )
    assert one(text).mesh.triangles.tolist() == [[2, 1, 0]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Cone { }", "Cone has no collision geometry"),
        ("ElevationGrid { xDimension 1 yDimension 5 }", "1 by 5 points has no surface"),
        (
            "IndexedFaceSet { coord Coordinate { point [ 0 0 0 ] } coordIndex [ 0 1 2 ] }",
            "uses vertex 2, but there are only 1",
        ),
        ('Mesh { url "nowhere.obj" }', "'nowhere.obj' not found"),
    ],
)
def test_what_cannot_be_used_is_left_out_and_said(text: str, said: str):
    made = plan(f'DEF S Solid {{ name "s" boundingObject Group {{ children [ {text} Sphere {{ }} ] }} }}')
    (found,) = made.report
    assert said in found.message
    assert 'S "s"' in found.message
    assert len(made.parts[0].solids[0].geometries) == 1


OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nf 1//1 3//1 2//1\nf 1 2 -1\nf 1/2/3 4 3\nf 2 3 4\n"
TEXT_STL = """solid thing
facet normal 0 0 1
 outer loop
  vertex 0 0 0
  vertex 1 0 0
  vertex 0 1 0
 endloop
endfacet
endsolid thing
"""
DAE = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 1 1 0 0 1 0</float_array></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<polylist count="1"><input semantic="VERTEX" source="#v" offset="0"/><vcount>4</vcount><p>0 1 2
3</p></polylist> </mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><translate>0 0 5</translate>
<rotate>0 0 1 90</rotate><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
</COLLADA>
"""


def mesh_of(folder: Path, name: str, content: bytes, header: str = NEW) -> Geometry:
    (folder / name).write_bytes(content)
    loaded = load_text(
        f'{header}Solid {{ boundingObject Mesh {{ url "{name}" }} }}', str(folder / "world.wbt")
    )
    made = make_plan(loaded)
    assert list(made.report) == [], [str(found) for found in made.report]
    (only,) = made.parts[0].solids[0].geometries
    return only


def test_an_obj_file(tmp_path: Path):
    mesh = mesh_of(tmp_path, "a.obj", OBJ.encode()).mesh
    assert mesh.vertices.shape == (4, 3)
    assert mesh.triangles.tolist() == [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]


def test_a_text_stl_file(tmp_path: Path):
    mesh = mesh_of(tmp_path, "a.stl", TEXT_STL.encode()).mesh
    assert mesh.vertices[mesh.triangles[0]].tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]


def test_a_binary_stl_file_shares_equal_corners(tmp_path: Path):
    import struct

    def facet(*corners: float) -> bytes:
        return struct.pack("<12fH", 0, 0, 1, *corners, 0)

    data = (
        bytes(80) + struct.pack("<I", 2) + facet(0, 0, 0, 1, 0, 0, 0, 1, 0) + facet(1, 0, 0, 1, 1, 0, 0, 1, 0)
    )
    mesh = mesh_of(tmp_path, "a.stl", data).mesh
    assert mesh.vertices.shape == (4, 3)
    assert mesh.triangles.shape == (2, 3)


@pytest.mark.parametrize(("header", "unit"), [(NEW, 0.01), (R2021B, 1.0)])
def test_a_collada_file_is_placed_by_its_scene(tmp_path: Path, header: str, unit: float):
    """Judge: WbMesh.cpp, which uses the root matrix of the importer, with unit and axes, since R2022b."""
    mesh = mesh_of(tmp_path, "a.dae", DAE.encode(), header).mesh
    assert mesh.triangles.shape == (2, 3)
    quarter = np.array([(0, 0, 5), (0, 1, 5), (-1, 1, 5), (-1, 0, 5)], dtype=float)
    assert mesh.vertices == pytest.approx(unit * quarter)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.obj", b"v 1 2\n", "line 1"),
        ("a.obj", b"v 0 0 0\n", "no triangles"),
        ("a.stl", b"junk", "truncated"),
        ("a.dae", b"<notxml", "not a valid COLLADA file"),
        ("a.dae", b'<!DOCTYPE x [<!ENTITY a "b">]><COLLADA/>', "document type"),
        ("a.fbx", b"", "known formats: .dae, .obj, .stl"),
        ("a.obj", b"v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "not finite"),
    ],
)
def test_mesh_files_that_cannot_be_read_are_said(tmp_path: Path, name: str, content: bytes, said: str):
    (tmp_path / name).write_bytes(content)
    loaded = load_text(
        f'{NEW}Solid {{ boundingObject Mesh {{ url "{name}" }} }}', str(tmp_path / "world.wbt")
    )
    (found,) = make_plan(loaded).report
    assert said in found.message


TWO_OBJECTS = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\no first\nf 1 2 3\no second one\nf 1 2 4\nf 2 3 4\n"


def named(folder: Path, file: str, name: str) -> list[str] | Geometry:
    text = f'{NEW}Solid {{ boundingObject Mesh {{ url "{file}" name "{name}" }} }}'
    made = make_plan(load_text(text, str(folder / "world.wbt")))
    found = made.parts[0].solids[0].geometries
    return found[0] if found else [one.message for one in made.report]


def test_a_name_selects_a_part_of_a_mesh_file(tmp_path: Path):
    (tmp_path / "a.obj").write_text(TWO_OBJECTS)
    (tmp_path / "a.dae").write_text(DAE)
    assert named(tmp_path, "a.obj", "second one").mesh.triangles.tolist() == [[0, 1, 3], [1, 2, 3]]
    assert len(named(tmp_path, "a.dae", "g").mesh.triangles) == 2


@pytest.mark.parametrize(
    ("file", "said"), [("a.obj", "'first', 'second one'"), ("a.dae", "'g'"), ("a.stl", "none with a name")]
)
def test_a_name_that_a_mesh_file_lacks_is_said_with_those_it_has(tmp_path: Path, file: str, said: str):
    (tmp_path / file).write_text({"a.obj": TWO_OBJECTS, "a.dae": DAE, "a.stl": TEXT_STL}[file])
    (message,) = named(tmp_path, file, "third")
    assert "no geometry named 'third'" in message
    assert said in message


def test_a_mesh_is_scaled_and_flipped(tmp_path: Path):
    (tmp_path / "a.obj").write_text(OBJ)
    text = 'Transform { scale 2 2 2 children [ Mesh { url "a.obj" ccw FALSE } ] }'
    loaded = load_text(f"{NEW}Solid {{ boundingObject {text} }}", str(tmp_path / "world.wbt"))
    (made,) = make_plan(loaded).parts[0].solids[0].geometries
    assert made.mesh.vertices.max() == 2
    assert made.mesh.triangles[0].tolist() == [1, 2, 0]
    assert math.isclose(made.offset.scale[0], 1.0)


@pytest.mark.parametrize(
    "indices", ["0 1 2 -1 0 2 3 -1", "0 1 2 -1 0 2 3", "0 1 2 3 -1", "0 1 2 -1 1 1 2 -1 0 2 3 -1"]
)
def test_faces_may_end_in_any_way(indices: str):
    text = f"""IndexedFaceSet {{ coord Coordinate {{ point [ 0 0 0, 1 0 0, 1 1 0, 0 1 0 ] }}
      coordIndex [ {indices} ] }}"""
    mesh = one(text).mesh
    assert len(mesh.triangles) == 2
    assert sorted(set(mesh.triangles.ravel().tolist())) == [0, 1, 2, 3]
