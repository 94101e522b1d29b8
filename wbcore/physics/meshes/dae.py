"""COLLADA .dae files: triangles and polygons of all geometries, placed by the nodes of the visual scene.

The unit and the up axis of the file are returned with the mesh; coordinates are those of the file.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias
from xml.etree.ElementTree import Element

import numpy as np

from wbridge.wbcore.physics.exact_sums import along_rows, product
from wbridge.wbcore.physics.meshes._collada import Document, axes_of, frame_of, parsed
from wbridge.wbcore.physics.meshes._corners import CornerValues, limited
from wbridge.wbcore.physics.meshes._effects import palette_of
from wbridge.wbcore.physics.meshes._errors import MeshError
from wbridge.wbcore.physics.meshes._faces import Faces, joined
from wbridge.wbcore.physics.meshes._primitives import Primitive, primitives_of
from wbridge.wbcore.physics.meshes._triangles import Mesh, build_from_corners, cofactors, unknown_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

Array: TypeAlias = "NDArray[np.float64]"
MOST_NODES = 100_000
DEPTH = 64


def read(data: bytes, name: str = "") -> Mesh:
    """Return the scene of the file as one mesh, or only the geometry with this id or name.

    Raises:
        MeshError: the file is not valid COLLADA, or contains no usable geometry.
    """
    return parsed(data, lambda document: _Scene(document, name).mesh())


class _Scene:
    """The geometries of the visual scene, one after the other."""

    def __init__(self, document: Document, name: str) -> None:
        self._document = document
        self._name = name
        self._palette = palette_of(document.root, document.by_id)
        self._indices = {key: i for i, key in enumerate(self._palette)}
        self._read: dict[Element, list[Primitive]] = {}
        self._points: list[Array] = []
        self._faces: list[Faces] = []
        self._normals: list[Array] = []
        self._places: list[Array] = []
        self._parts: list[tuple[int, int]] = []
        """Number of corners and material of each primitive."""
        self._count = self._nodes = self._corners = 0

    def mesh(self) -> Mesh:
        root = self._document.root
        scenes = list(root.iter("visual_scene"))
        for node in scenes[0].findall("node") if scenes else ():
            self._node(node, np.eye(4), 0)
        if not scenes:
            for geometry in root.iter("geometry"):
                self._geometry(geometry, np.eye(4), {})
        if self._name and not self._points:
            raise unknown_name(self._name, [element.get("id", "") for element in root.iter("geometry")])
        points = np.vstack(self._points) if self._points else np.empty((0, 3))
        mesh, chosen = build_from_corners(points, joined(self._faces))
        return replace(self._with_values(mesh, chosen), axes=axes_of(root))

    def _with_values(self, mesh: Mesh, chosen: NDArray[np.int64]) -> Mesh:
        values = CornerValues(chosen)
        numbers = np.arange(self._corners)
        values.set_normals(np.concatenate(self._normals), numbers)
        values.set_places(np.concatenate(self._places), numbers)
        sizes = [size for size, _ in self._parts]
        values.parts = values.of_triangles(np.repeat(np.arange(len(sizes)), sizes))
        values.materials = values.of_triangles(np.repeat([entry for _, entry in self._parts], sizes))
        return values.applied(mesh, tuple(self._palette.values()))

    def _node(self, node: Element, frame: Array, depth: int) -> None:
        self._nodes += 1
        if depth > DEPTH or self._nodes > MOST_NODES:
            raise MeshError("nodes are nested too deeply, or there are too many")
        frame = product(frame, frame_of(node))
        target = self._document.target
        for instance in node.findall("instance_geometry"):
            self._geometry(target(instance.get("url", "")), frame, _bound(instance))
        for instance in node.findall("instance_controller"):
            skin = target(instance.get("url", "")).find("skin")
            if skin is not None:
                self._geometry(target(skin.get("source", "")), frame, _bound(instance))
        for instance in node.findall("instance_node"):
            self._node(target(instance.get("url", "")), frame, depth + 1)
        for child in node.findall("node"):
            self._node(child, frame, depth + 1)

    def _geometry(self, geometry: Element, frame: Array, bound: dict[str, str]) -> None:
        if self._name and self._name not in (geometry.get("id"), geometry.get("name")):
            return
        if geometry not in self._read:
            self._read[geometry] = primitives_of(self._document, geometry)
        for primitive in self._read[geometry]:
            self._add(primitive, frame, self._material(primitive.material, bound))

    def _material(self, symbol: str, bound: dict[str, str]) -> int:
        """Return the index of the material that a node binds to a symbol; else of the first one."""
        key = bound.get(symbol) or next(iter(bound.values()), "")
        return self._indices.get(key, 0 if self._indices else -1)

    def _add(self, primitive: Primitive, frame: Array, material: int) -> None:
        points = primitive.points
        limited(self._count + len(points))
        limited(self._corners + len(primitive.corners))
        self._points.append(along_rows(points, frame[:3, :3]) + frame[:3, 3])
        self._faces.append(Faces(self._count + primitive.corners, primitive.sizes))
        self._normals.append(along_rows(primitive.normals, cofactors(frame[:3, :3])))
        self._places.append(primitive.places)
        self._parts.append((len(primitive.corners), material))
        self._count += len(points)
        self._corners += len(primitive.corners)


def _bound(instance: Element) -> dict[str, str]:
    """Return the ids of the materials by the symbols of an instance of a geometry."""
    return {
        binding.get("symbol", ""): binding.get("target", "").lstrip("#")
        for binding in instance.iter("instance_material")
    }
