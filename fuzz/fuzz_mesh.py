"""Fuzz the readers of mesh files, skins, material libraries and pictures, and what is made of meshes.

Run by `python -m fuzz.fuzz_mesh --seconds 60 --seed 1 --report report.json`.
"""

from __future__ import annotations

import io
import struct
import sys
from pathlib import Path
from random import Random

import numpy as np

from fuzz.case import Case, InvariantError
from fuzz.fbx_files import arm
from fuzz.main import main
from fuzz.mutate import damaged, damaged_bytes
from wbridge.wbcore.physics.meshes import Mesh, MeshError, read_materials, read_mesh
from wbridge.wbcore.visual.images import ImageError, read_image
from wbridge.wbcore.visual.polygons import normals_of
from wbridge.wbcore.visual.radiance import read_radiance
from wbridge.wbcore.visual.skeletons import Skeleton
from wbridge.wbcore.visual.skin_models import SkinModel, read_skin

OBJ = """mtllib a.mtl
o one
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0.5 0.5 1
vt 0 0
vt 1 0
vt 0.5 1
vn 0 0 -1
vn 0 1 0
usemtl red
f 1/1/1 4/2/1 3/3/1 2/1/1
g two
usemtl blue
f 1/1 2/2 5/3
f -4//2 -3//2 -1//2
s off
f 3 4 5
f 4 1 5
"""
MTL = """newmtl red
Kd 1 0 0
Ke 0 0.1 0
Ns 100
d 0.5
map_Kd -s 1 1 1 a.png
newmtl blue
Kd 0 0 1
Tr 0.1
norm n.png
"""
STL = """solid s
facet normal 0 0 1
 outer loop
  vertex 0 0 0
  vertex 1 0 0
  vertex 0 1 0
 endloop
endfacet
facet normal 0 0 0
 outer loop
  vertex 0 0 0
  vertex 0 1 0
  vertex 0 0 1
 endloop
endfacet
endsolid s
"""
DAE = """<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="cm" meter="0.01"/><up_axis>Y_UP</up_axis></asset>
<library_images><image id="i"><init_from>a%20b.png</init_from></image></library_images>
<library_effects><effect id="e"><profile_COMMON>
<newparam sid="su"><surface type="2D"><init_from>i</init_from></surface></newparam>
<newparam sid="sa"><sampler2D><source>su</source></sampler2D></newparam>
<technique sid="c"><phong><emission><color>0 0.1 0 1</color></emission>
<diffuse><texture texture="sa" texcoord="t"/></diffuse><shininess><float>50</float></shininess>
<transparent opaque="RGB_ZERO"><color>0 0 0 1</color></transparent>
<transparency><float>1</float></transparency></phong></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g" name="thing"><mesh>
<source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 1 1 0 0 1 0</float_array>
<technique_common><accessor source="#pa" count="4" stride="3"/></technique_common></source>
<source id="n"><float_array id="na" count="3">0 0 1</float_array></source>
<source id="t"><float_array id="ta" count="4">0 0 1 1</float_array>
<technique_common><accessor source="#ta" count="2" stride="2"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<polylist material="s" count="1"><input semantic="VERTEX" source="#v" offset="0"/>
<input semantic="NORMAL" source="#n" offset="1"/><input semantic="TEXCOORD" source="#t" offset="2" set="0"/>
<vcount>4</vcount><p>0 0 0 1 0 0 2 0 1 3 0 1</p></polylist>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1</p></triangles>
<tristrips count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2 3</p></tristrips>
<polygons count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p><p>2 3 0</p></polygons>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="a"><translate>0 0 5</translate>
<rotate>0 0 1 90</rotate><scale>1 2 1</scale><node><matrix>1 0 0 1 0 1 0 2 0 0 1 3 0 0 0 1</matrix>
<instance_geometry url="#g"><bind_material><technique_common>
<instance_material symbol="s" target="#m"/></technique_common></bind_material></instance_geometry></node>
</node><node><instance_node url="#a"/></node></visual_scene></library_visual_scenes>
</COLLADA>
"""
TEXTS = {"obj": OBJ, "mtl": MTL, "stl": STL, "dae": DAE}

MODES = {"png": ("RGB", "RGBA", "L", "LA", "P", "1"), "jpeg": ("RGB", "L", "CMYK")}
"""Kinds of pixels of picture files."""


def binary_stl() -> bytes:
    """Return a binary STL file of two facets."""
    facet = struct.pack("<12fH", 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0)
    return bytes(80) + struct.pack("<I", 2) + 2 * facet


def picture(kind: str, mode: str) -> bytes:
    """Return a small picture file with pixels of one of Pillow's modes."""
    import PIL.Image

    data = io.BytesIO()
    PIL.Image.radial_gradient("L").resize((9, 7)).convert(mode).save(data, kind)
    return data.getvalue()


def radiance() -> bytes:
    """Return a Radiance file of two rows with runs."""
    row = b"\2\2\0\10" + b"\210\200" + b"\10" + bytes(range(8)) + b"\204\40\4\1\2\3\4" + b"\210\201"
    return b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 8\n" + 2 * row


class MeshTarget:
    """Mesh files, material libraries and pictures, damaged at the level of words, lines and bytes."""

    name = "mesh"

    def make(self, random: Random) -> Case:
        """Generate a file."""
        how = random.random()
        if how < 0.6:
            suffix = random.choice(list(TEXTS))
            text = damaged(TEXTS[suffix], random, list(TEXTS.values()))
            data = text.encode("utf-8", "replace")
            if random.random() < 0.1:
                data = damaged_bytes(data, random)
        elif how < 0.65:
            suffix, data = "stl", damaged_bytes(binary_stl(), random)
        elif how < 0.85:
            suffix, data = "fbx", damaged_bytes(arm(random.choice([7400, 7500])), random)
        elif how < 0.9:
            suffix, data = "hdr", damaged_bytes(radiance(), random)
        else:
            suffix = random.choice(list(MODES))
            data = damaged_bytes(picture(suffix, random.choice(MODES[suffix])), random)
        name = f"models/a.{suffix}"
        return Case({name: data}, name)

    def run(self, main: Path) -> None:
        """Read the file and use all of it."""
        suffix = main.suffix.lstrip(".")
        if suffix == "mtl":
            for material in read_materials(main.read_bytes()).values():
                check_share(*material.color, *material.emissive, material.opacity, material.roughness)
        elif suffix == "fbx":
            try:
                check_skin(read_skin(main))
            except MeshError:
                return
        elif suffix in ("png", "jpeg"):
            try:
                read_image(main)
            except ImageError:
                return
        elif suffix == "hdr":
            try:
                if not np.isfinite(read_radiance(main)).all():
                    raise InvariantError("light is not finite")
            except ImageError:
                return
        else:
            try:
                check_mesh(read_mesh(main))
            except MeshError:
                return

    def calls(self, case: Case) -> int:
        """The limit for a file."""
        return 1_000_000 + 100 * case.size


def check_share(*values: float) -> None:
    """Check numbers of a material.

    Raises:
        InvariantError: one is not within 0 to 1.
    """
    if not all(0 <= one <= 1 for one in values):
        raise InvariantError(f"{values} are not within 0 to 1")


def check_skin(model: SkinModel) -> None:
    """Check a skin, and poses of its bones.

    Raises:
        InvariantError: a shape, an index or a number is wrong.
    """
    skeleton = Skeleton(model.bones)
    movements = skeleton.movements(skeleton.poses({(0, False): (0.0, 0.0, 1.0, 1.0)}, {}))
    if model.bones_of.max() >= len(movements) or not np.isfinite(movements).all():
        raise InvariantError("a bone does not exist, or is not finite")
    if not np.isfinite(normals_of(model.mesh)).all():
        raise InvariantError("a normal is not finite")
    if not (model.weights >= 0).all() or model.weights.sum(axis=1).max() > 1 + 1e-9:
        raise InvariantError("the shares of a vertex are more than 1")


def check_mesh(mesh: Mesh) -> None:
    """Check the arrays of a mesh, and of what is made of it.

    Raises:
        InvariantError: a shape, an index or a number is wrong.
        MeshError: the unit of the file makes it too large.
    """
    count = len(mesh.triangles)
    for made in (mesh, mesh.flipped(), mesh.upright(), mesh.scaled((1.0, -2.0, 0.0))):
        if made.triangles.max() >= len(made.vertices) or len(made.triangles) != count:
            raise InvariantError("a triangle has a vertex that does not exist")
        normals = normals_of(made)
        if normals.shape != (count, 3, 3) or not np.isfinite(normals).all():
            raise InvariantError("a normal is not finite")
        if not np.isfinite(made.vertices).all():
            raise InvariantError("a vertex is not finite")
    for material in mesh.palette:
        check_share(*material.color, *material.emissive, material.opacity, material.roughness)
    if mesh.materials is not None and mesh.palette:
        for index in np.unique(mesh.materials).tolist():
            mesh.of_material(index)


if __name__ == "__main__":
    sys.exit(main([MeshTarget()]))
