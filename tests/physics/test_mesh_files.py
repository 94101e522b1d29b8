"""Mesh files: vertices, normals, texture coordinates, materials and parts of obj, stl and dae files."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from wbridge.wbcore.physics.meshes import Mesh, MeshError, MeshMaterial, read_materials, read_mesh

POINTS = [(0, 0, 0), (2, 0, 0), (2, 1, 0), (0, 1, 0)]
PLACES = [(0, 0), (1, 0), (1, 0.5), (0, 0.5)]
TRIANGLES = [(0, 1, 2), (0, 2, 3)]

OBJ = (
    "".join(f"v {x} {y} {z}\n" for x, y, z in POINTS)
    + "".join(f"vt {u} {v}\n" for u, v in PLACES)
    + "vn 0 0 2\nf 1/1/1 2/2/1 3/3/1 4/4/1\n"
)
STL = "solid s\n" + "".join(
    "facet normal 0 0 1\nouter loop\n"
    + "".join("vertex {} {} {}\n".format(*POINTS[i]) for i in triangle)
    + "endloop\nendfacet\n"
    for triangle in TRIANGLES
)


def numbers(values: list[tuple[float, ...]]) -> str:
    return " ".join(str(one) for row in values for one in row)


def source(name: str, values: list[tuple[float, ...]]) -> str:
    stride, count = len(values[0]), len(values)
    return (
        f'<source id="{name}"><float_array id="{name}-a" count="{stride * count}">{numbers(values)}'
        f'</float_array><technique_common><accessor source="#{name}-a" count="{count}" stride="{stride}"/>'
        "</technique_common></source>"
    )


GEOMETRY = (
    source("p", POINTS)
    + source("n", [(0, 0, 2)])
    + source("t", PLACES)
    + '<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>'
)
INPUTS = (
    '<input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#n" offset="1"/>'
    '<input semantic="TEXCOORD" source="#t" offset="2" set="0"/>'
)
POLYGON = f'<polylist count="1">{INPUTS}<vcount>4</vcount><p>0 0 0 1 0 1 2 0 2 3 0 3</p></polylist>'


def dae(primitives: str = POLYGON, up: str = "Z_UP", more: str = "", nodes: str = "") -> str:
    nodes = nodes or '<node><instance_geometry url="#g"/></node>'
    return (
        f"<COLLADA><asset><up_axis>{up}</up_axis></asset>{more}"
        f'<library_geometries><geometry id="g"><mesh>{GEOMETRY}{primitives}</mesh></geometry>'
        "</library_geometries><library_visual_scenes>"
        f'<visual_scene id="s">{nodes}</visual_scene></library_visual_scenes></COLLADA>'
    )


def read(folder: Path, suffix: str, content: str | bytes, name: str = "") -> Mesh:
    path = folder / f"a.{suffix}"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_mesh(path, name)


def corners(mesh: Mesh) -> list[object]:
    return mesh.vertices[mesh.triangles].tolist()


def binary_stl() -> bytes:
    facets = [
        struct.pack("<12fH", 0, 0, 1, *(x for i in triangle for x in POINTS[i]), 0) for triangle in TRIANGLES
    ]
    return bytes(80) + struct.pack("<I", 2) + b"".join(facets)


@pytest.mark.parametrize(
    ("suffix", "content"), [("obj", OBJ), ("stl", STL), ("stl", binary_stl()), ("dae", dae())]
)
def test_the_same_mesh_in_all_formats(tmp_path: Path, suffix: str, content: str | bytes):
    mesh = read(tmp_path, suffix, content)
    cut = [[POINTS[i] for i in triangle] for triangle in ((3, 0, 1), (1, 2, 3))]
    expected = [[POINTS[i] for i in triangle] for triangle in TRIANGLES] if suffix == "stl" else cut
    assert corners(mesh) == np.array(expected, dtype=float).tolist()
    assert mesh.normals is not None
    assert mesh.normals.tolist() == [[[0, 0, 1]] * 3] * 2
    if suffix == "stl":
        assert mesh.places is None
    else:
        assert mesh.places is not None
        assert mesh.places.tolist() == [
            [list(PLACES[i]) for i in triangle] for triangle in ((3, 0, 1), (1, 2, 3))
        ]


def test_missing_normals_and_texture_coordinates(tmp_path: Path):
    mesh = read(tmp_path, "obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0.5 1\nf 1 2 3\nf 1/1 2/7 3\n")
    assert mesh.normals is None
    assert mesh.places is not None
    assert np.isnan(mesh.places).sum() == 10
    assert mesh.places[1, 0].tolist() == [0.5, 1]


@pytest.mark.parametrize(("up", "expected"), [("Z_UP", (2, 1, 0)), ("Y_UP", (2, 0, 1)), ("X_UP", (-1, 0, 2))])
def test_axes_of_collada(tmp_path: Path, up: str, expected: tuple[float, ...]):
    """Judge: WbMesh.cpp turns the scene by 90 degrees about x after the importer has taken it to y up
    (COLLADA 1.4.1, up_axis: X_UP has -y to the right, x up, z toward the viewer)."""
    mesh = read(tmp_path, "dae", dae(up=up)).upright()
    assert mesh.vertices[2] == pytest.approx(expected)
    assert mesh.normals is not None
    assert mesh.normals[0, 0] == pytest.approx((0, 0, 1) if up == "Z_UP" else (0, -1, 0))


def test_strips_and_fans(tmp_path: Path):
    """Judge: COLLADA 1.4.1, tristrips and trifans."""
    vertex = '<input semantic="VERTEX" source="#v" offset="0"/>'
    strip = read(tmp_path, "dae", dae(f"<tristrips>{vertex}<p>0 1 3 2</p></tristrips>"))
    assert strip.triangles.tolist() == [[0, 1, 3], [3, 1, 2]]
    fan = read(tmp_path, "dae", dae(f"<trifans>{vertex}<p>0 1 2 3</p></trifans>"))
    assert fan.triangles.tolist() == [[0, 1, 2], [0, 2, 3]]


EFFECTS = """
<library_images><image id="i"><init_from>my%20wood.png</init_from></image></library_images>
<library_effects>
<effect id="e1"><profile_COMMON>
<newparam sid="su"><surface type="2D"><init_from>i</init_from></surface></newparam>
<newparam sid="sa"><sampler2D><source>su</source></sampler2D></newparam>
<technique sid="c"><phong><emission><color>0.1 0.2 0.3 1</color></emission>
<diffuse><texture texture="sa" texcoord="t"/></diffuse><shininess><float>51</float></shininess>
</phong></technique></profile_COMMON></effect>
<effect id="e2"><profile_COMMON><technique sid="c"><lambert><diffuse><color>1 0 0 1</color></diffuse>
<transparent opaque="A_ONE"><color>1 1 1 0.5</color></transparent>
<transparency><float>0.5</float></transparency>
</lambert></technique></profile_COMMON></effect>
</library_effects>
<library_materials>
<material id="z-wood" name="Wood"><instance_effect url="#e1"/></material>
<material id="a-red" name="Red"><instance_effect url="#e2"/></material>
</library_materials>
"""
BOUND = (
    '<node><instance_geometry url="#g"><bind_material><technique_common>'
    '<instance_material symbol="one" target="#z-wood"/><instance_material symbol="two" target="#a-red"/>'
    "</technique_common></bind_material></instance_geometry></node>"
)
TWO = "".join(
    f'<triangles material="{name}" count="1">{INPUTS}<p>{p}</p></triangles>'
    for name, p in (("one", "0 0 0 1 0 1 2 0 2"), ("two", "0 0 0 2 0 2 3 0 3"))
)


def test_materials_of_collada(tmp_path: Path):
    """Judge: WbPbrAppearance.cpp: roughness is 1 - shininess / 255, opacity transparency times alpha; a
    texture has a white base color; materials are numbered in the order of their ids."""
    mesh = read(tmp_path, "dae", dae(TWO, more=EFFECTS, nodes=BOUND))
    red, wood = mesh.palette
    assert red == MeshMaterial("Red", (1, 0, 0), (0, 0, 0), 0.25, 1 - 10 / 255)
    assert wood == MeshMaterial(
        "Wood", (1, 1, 1), (0.1, 0.2, 0.3), 1.0, pytest.approx(0.8), {"baseColorMap": "my wood.png"}
    )
    assert mesh.materials is not None
    assert mesh.materials.tolist() == [1, 0]
    part = mesh.of_material(0)
    assert corners(part) == [[[0, 0, 0], [2, 1, 0], [0, 1, 0]]]
    assert len(part.vertices) == 3
    with pytest.raises(MeshError, match="no material 2; the file has 2"):
        mesh.of_material(2)


def test_materials_of_obj_files(tmp_path: Path):
    text = "mtllib a b.mtl c.mtl\n" + OBJ + "usemtl red one\nf 1 2 3\nusemtl blue\nf 1 2 3\n"
    mesh = read(tmp_path, "obj", text)
    assert [one.name for one in mesh.palette] == ["DefaultMaterial", "red one", "blue"]
    assert mesh.libraries == ("a b.mtl", "c.mtl")
    assert mesh.materials is not None
    assert mesh.materials.tolist() == [0, 0, 1, 2]


def test_a_material_library():
    """Judge: Wavefront's format; the importer's default color of 0.6; roughness of WbPbrAppearance.cpp."""
    found = read_materials(
        b"Kd 1 1 1\nnewmtl red one\nKd 1 0 0\nKe 0 0.5 0\nNs 51\nTr 0.25\n"
        b"map_Kd -s 2 2 1 -clamp on my wood.png\nmap_Bump no.png\nnorm -bm 1 n.png\n"
        b"newmtl plain\nKd x y z\nd 0.5\nTr 0.1\n\xff\xfe\n"
    )
    assert found["red one"] == MeshMaterial(
        "red one",
        (1, 0, 0),
        (0, 0.5, 0),
        0.75,
        pytest.approx(0.8),
        {"baseColorMap": "my wood.png", "normalMap": "n.png"},
    )
    assert found["plain"] == MeshMaterial("plain", (0.6, 0.6, 0.6), opacity=0.5)


def test_indices_that_are_too_large_name_nothing(tmp_path: Path):
    text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 1 1\nf 1/1 2/99999999999999999999 3/-99999999999999999999\n"
    mesh = read(tmp_path, "obj", text)
    assert mesh.places is not None
    assert np.isnan(mesh.places).sum() == 4


def test_a_scaled_mesh_has_normals_of_its_surface(tmp_path: Path):
    text = "v 0 0 0\nv 1 0 0\nv 0 1 1\nvn 0 -1 1\nf 1//1 2//1 3//1\n"
    mesh = read(tmp_path, "obj", text).scaled((1, 1, 2))
    expected = np.array((0, -2, 1)) / np.sqrt(5)
    assert mesh.normals is not None
    assert mesh.normals[0, 0] == pytest.approx(expected)


REPEATED = "".join(
    f'<node id="n{i}">' + f'<instance_node url="#n{i + 1}"/>' * 2 + "</node>" for i in range(50)
)


@pytest.mark.parametrize(
    ("suffix", "content", "said"),
    [
        ("dae", '<?xml version="1.0"?><!DOCTYPE a []><COLLADA/>'.encode("utf-16"), "document type"),
        ("dae", dae(nodes=REPEATED + '<node id="n50"/>'), "too many"),
        ("dae", dae(POLYGON.replace("<p>0", "<p>" + "9" * 30)), "COLLADA|does not exist"),
        ("dae", dae(POLYGON.replace("3</p>", "</p>")), "COLLADA"),
        ("dae", dae(POLYGON.replace("<vcount>4", "<vcount>-4")), "does not match"),
        ("dae", dae(POLYGON.replace('offset="1"', 'offset="1000000000"')), "offset"),
        ("obj", "v 0 0 0\nf " + "1 " * 1001, "1001 corners"),
        ("obj", "v 0 0 0\nf 1 1 " + "9" * 30, "only 1"),
        ("obj", OBJ + "f 1/x 2 3\n", "line 11"),
        ("obj", "f\nv 0 0 0\n", "no triangles"),
        ("obj", OBJ + "v 1e13 0 0", "larger than 1e\\+12"),
        ("stl", STL.replace("normal 0", "normal x"), "normal does not have three numbers"),
    ],
)
def test_bad_files(tmp_path: Path, suffix: str, content: str | bytes, said: str):
    with pytest.raises(MeshError, match=said):
        read(tmp_path, suffix, content)


def test_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("wbridge.wbcore.physics.meshes._corners.MOST", 3)
    for suffix, content in (("obj", OBJ), ("stl", STL), ("stl", binary_stl()), ("dae", dae())):
        with pytest.raises(MeshError, match="more than 3 vertices"):
            read(tmp_path, suffix, content)
