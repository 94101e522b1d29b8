"""The polygons of COLLADA geometries, with the normals and texture coordinates of their corners."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias
from xml.etree.ElementTree import Element

import numpy as np

from wbridge.wbcore.physics.meshes._collada import Document, floats, integers
from wbridge.wbcore.physics.meshes._corners import limited
from wbridge.wbcore.physics.meshes._errors import MeshError

if TYPE_CHECKING:
    from numpy.typing import NDArray

Array: TypeAlias = "NDArray[np.float64]"
Integers: TypeAlias = "NDArray[np.int64]"


@dataclass(frozen=True, eq=False, slots=True)
class Primitive:
    """`points`: (n, 3); `sizes`: corners of each face; `corners`: points of all corners; `normals`: (c, 3)
    and `places`: (c, 2) of all corners, NaN without."""

    material: str
    """The symbol to which nodes bind a material."""
    points: Array
    sizes: Integers
    corners: Integers
    normals: Array
    places: Array


def primitives_of(document: Document, geometry: Element) -> list[Primitive]:
    """Return the primitives of a geometry.

    Raises:
        MeshError: an index is out of range, or a source has no numbers.
        LookupError, ValueError: something that is named does not exist, or a number is malformed.
    """
    meshes = geometry.findall("mesh")
    return [_primitive(document, element) for mesh in meshes for element in mesh if element.tag in _POLYGONS]


def _primitive(document: Document, element: Element) -> Primitive:
    inputs = _inputs(document, element)
    width = 1 + max(offset for offset, _ in inputs.values())
    if not 0 < width <= 64 or min(offset for offset, _ in inputs.values()) < 0:
        raise MeshError("an offset of an input is not possible")
    counts, indices = _POLYGONS[element.tag](element, width)
    sizes, rows = np.asarray(counts, np.int64), indices.reshape(-1, width)
    if (sizes < 0).any() or sizes.sum() != len(rows):
        raise MeshError("the number of indices does not match that of the corners")
    limited(len(rows))
    offset, source = inputs["POSITION"]
    points = _numbers(document, source, 3)
    corners = rows[:, offset]
    if len(corners) and not 0 <= corners.min() <= corners.max() < len(points):
        raise MeshError(f"a face uses a vertex that does not exist; there are {len(points)}")
    normals, places = (
        _picked(document, inputs.get(name), rows, size) for name, size in (("NORMAL", 3), ("TEXCOORD", 2))
    )
    return Primitive(element.get("material", ""), points, sizes, corners, normals, places)


def _inputs(document: Document, element: Element) -> dict[str, tuple[int, Element]]:
    """Return offset and source by semantic; of several sets of texture coordinates the first one."""
    found: dict[str, tuple[int, Element]] = {}
    listed = [
        (int(source.get("set") or 0), int(source.get("offset") or 0), source)
        for source in element.findall("input")
    ]
    for _, offset, entry in sorted(listed, key=lambda entry: entry[0]):
        source = document.target(entry.get("source", ""))
        if entry.get("semantic") == "VERTEX":
            for inner in source.findall("input"):
                own = document.target(inner.get("source", ""))
                found.setdefault(inner.get("semantic", ""), (offset, own))
        else:
            found.setdefault(entry.get("semantic", ""), (offset, source))
    if "POSITION" not in found:
        raise MeshError("a primitive has no positions")
    return found


def _numbers(document: Document, source: Element, size: int) -> Array:
    """Return the first numbers of each entry of a source: (n, size)."""
    values = source.find("float_array")
    if values is None:
        raise MeshError("a source has no numbers")
    accessor = source.find("technique_common/accessor")
    stride = int(accessor.get("stride") or size) if accessor is not None else size
    start = int(accessor.get("offset") or 0) if accessor is not None else 0
    if not size <= stride <= 64 or start < 0:
        raise MeshError("a stride of a source is not possible")
    found = floats(values)[start:]
    found = found[: len(found) // stride * stride].reshape(-1, stride)[:, :size]
    limited(len(found))
    return np.ascontiguousarray(found)


def _picked(document: Document, given: tuple[int, Element] | None, rows: Integers, size: int) -> Array:
    """Return the numbers of all corners; NaN where the source has none."""
    found = np.full((len(rows), size), np.nan)
    if given is None:
        return found
    values, indices = _numbers(document, given[1], size), rows[:, given[0]]
    is_valid = (indices >= 0) & (indices < len(values))
    found[is_valid] = values[indices[is_valid]]
    return found


Polygons = tuple[list[int], Integers]
"""Corners of each face, and the indices of all corners."""


def _triangles(element: Element, width: int) -> Polygons:
    indices = integers(element.find("p"))
    return [3] * (len(indices) // (3 * width)), indices[: len(indices) // (3 * width) * 3 * width]


def _polylist(element: Element, width: int) -> Polygons:
    return integers(element.find("vcount")).tolist(), integers(element.find("p"))


def _separate(element: Element, width: int) -> Polygons:
    faces = [integers(polygon) for polygon in (*element.findall("p"), *element.findall("ph/p"))]
    return [len(face) // width for face in faces], _joined(faces)


def _strips(element: Element, width: int) -> Polygons:
    return _rows(element, width, lambda i: (i, i + 1, i + 2) if i % 2 == 0 else (i + 1, i, i + 2))


def _fans(element: Element, width: int) -> Polygons:
    return _rows(element, width, lambda i: (0, i + 1, i + 2))


def _rows(element: Element, width: int, corners: Callable[[int], tuple[int, int, int]]) -> Polygons:
    """Return the triangles of strips or fans, by the places of the corners of triangle i."""
    found = []
    for polygon in element.findall("p"):
        rows = integers(polygon).reshape(-1, width)
        chosen = [place for i in range(len(rows) - 2) for place in corners(i)]
        found.append(rows[np.array(chosen, np.int64)].ravel())
    indices = _joined(found)
    return [3] * (len(indices) // (3 * width)), indices


def _joined(lists: list[Integers]) -> Integers:
    return np.concatenate(lists) if lists else np.empty(0, np.int64)


_POLYGONS: dict[str, Callable[[Element, int], Polygons]] = {
    "triangles": _triangles,
    "polylist": _polylist,
    "polygons": _separate,
    "tristrips": _strips,
    "trifans": _fans,
}
