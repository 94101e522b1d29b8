"""COLLADA .dae files: triangles and polygons of all geometries, placed by the nodes of the visual scene.

As in Webots, the unit and the up axis of the file are ignored: coordinates are in m, in the frame of the
node.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np
from numpy.typing import NDArray

from wbcore.physics.meshes._triangles import Mesh, MeshError, build, unknown_name

Array = NDArray[np.float64]

_DEPTH = 64


def read(data: bytes, name: str = "") -> Mesh:
    """Return the scene of the file as one mesh, or only the geometry with this id or name.

    Raises:
        MeshError: the file is not valid COLLADA, or contains no usable geometry.
    """
    if b"<!ENTITY" in data or b"<!DOCTYPE" in data:
        raise MeshError("COLLADA files must not have a document type declaration")
    try:
        root = ElementTree.fromstring(data)
        return _Document(root, name).mesh()
    except MeshError:
        raise
    except (ElementTree.ParseError, ValueError, KeyError, IndexError) as problem:
        raise MeshError(f"not a valid COLLADA file: {problem}") from problem


class _Document:
    def __init__(self, root: Element, name: str) -> None:
        self._root = root
        self._name = name
        for element in root.iter():
            element.tag = str(element.tag).rpartition("}")[2]
        self._by_id = {one.get("id", ""): one for one in root.iter() if one.get("id")}
        self._points: list[Array] = []
        self._faces: list[list[int]] = []
        self._count = 0

    def mesh(self) -> Mesh:
        scenes = list(self._root.iter("visual_scene"))
        for node in scenes[0].findall("node") if scenes else ():
            self._node(node, np.eye(4), 0)
        if not scenes:
            for geometry in self._root.iter("geometry"):
                self._geometry(geometry, np.eye(4))
        known = [one.get("id", "") for one in self._root.iter("geometry")]
        if self._name and not self._points:
            raise unknown_name(self._name, known)
        points = np.vstack(self._points) if self._points else np.empty((0, 3))
        return build(points, self._faces)

    def _node(self, node: Element, frame: Array, depth: int) -> None:
        if depth > _DEPTH:
            raise MeshError("nodes are nested too deeply")
        for part in node:
            if part.tag in _STEPS:
                frame = frame @ _STEPS[part.tag](_numbers(part))
        for instance in node.findall("instance_geometry"):
            self._geometry(self._target(instance.get("url", "")), frame)
        for instance in node.findall("instance_node"):
            self._node(self._target(instance.get("url", "")), frame, depth + 1)
        for child in node.findall("node"):
            self._node(child, frame, depth + 1)

    def _target(self, url: str) -> Element:
        return self._by_id[url.lstrip("#")]

    def _geometry(self, geometry: Element, frame: Array) -> None:
        if self._name and self._name not in (geometry.get("id"), geometry.get("name")):
            return
        for mesh in geometry.findall("mesh"):
            for primitive in mesh:
                if primitive.tag in _POLYGONS:
                    self._polygons(primitive, frame)

    def _polygons(self, primitive: Element, frame: Array) -> None:
        inputs = primitive.findall("input")
        width = 1 + max(int(one.get("offset", "0")) for one in inputs)
        vertex = next(one for one in inputs if one.get("semantic") == "VERTEX")
        points = self._positions(vertex.get("source", ""))
        self._points.append(points @ frame[:3, :3].T + frame[:3, 3])
        offset = int(vertex.get("offset", "0"))
        for face in _POLYGONS[primitive.tag](primitive, width):
            self._faces.append([self._count + index for index in face[offset::width]])
        self._count += len(points)

    def _positions(self, url: str) -> Array:
        vertices = self._target(url)
        source = next(one for one in vertices.findall("input") if one.get("semantic") == "POSITION")
        element = self._target(source.get("source", "")).find("float_array")
        if element is None:
            raise MeshError("a source of positions has no numbers")
        return np.array(_numbers(element)).reshape(-1, 3)


def _numbers(element: Element) -> list[float]:
    return [float(word) for word in (element.text or "").split()]


def _indices(element: Element | None) -> list[int]:
    return [int(word) for word in (element.text or "").split()] if element is not None else []


def _triangles(primitive: Element, width: int) -> Iterator[list[int]]:
    indices = _indices(primitive.find("p"))
    return (indices[i : i + 3 * width] for i in range(0, len(indices), 3 * width))


def _polylist(primitive: Element, width: int) -> Iterator[list[int]]:
    indices, at = _indices(primitive.find("p")), 0
    for corners in _indices(primitive.find("vcount")):
        yield indices[at : at + corners * width]
        at += corners * width


def _separate(primitive: Element, width: int) -> Iterator[list[int]]:
    return (_indices(p) for p in primitive.findall("p"))


_POLYGONS = {"triangles": _triangles, "polylist": _polylist, "polygons": _separate}


def _matrix(values: list[float]) -> Array:
    return np.array(values).reshape(4, 4)


def _translate(values: list[float]) -> Array:
    made = np.eye(4)
    made[:3, 3] = values
    return made


def _scale(values: list[float]) -> Array:
    return np.diag([*values, 1.0])


def _rotate(values: list[float]) -> Array:
    """Return the rotation matrix by Rodrigues' formula; the angle is in degrees."""
    axis = np.array(values[:3]) / np.linalg.norm(values[:3])
    angle = np.radians(values[3])
    x, y, z = axis
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    made = np.eye(4)
    made[:3, :3] += np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)
    return made


_STEPS = {"matrix": _matrix, "translate": _translate, "scale": _scale, "rotate": _rotate}
