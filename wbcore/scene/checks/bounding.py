"""Bounding objects: valid collision shapes and their scaling (manual, 3.63.3, 3.73)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wbridge.wbcore.scene.checks._checker import Checker, is_unknown
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.values import shown_value
from wbridge.wbcore.scene.version import Version

_SHAPES = ("Box", "Capsule", "Cylinder", "ElevationGrid", "IndexedFaceSet", "Mesh", "Plane", "Sphere")
_LAST_WITH_TRIANGLES_ONLY = Version.parse("V8.3.1")
_SLACK = 1e-4


def check_bounding(node: Node, checker: Checker) -> None:
    """Report nodes in the boundingObject of a solid or fluid that are not collision shapes."""
    top = node.get("boundingObject")
    if node.use_of is not None or not isinstance(top, Node) or is_unknown(top):
        return
    geometries = list(_geometries(top, checker))
    if not geometries:
        _report_empty(node, checker)
    for geometry in geometries:
        _check_geometry(node, geometry, checker)


def _report_empty(node: Node, checker: Checker) -> None:
    text = f'the boundingObject of {node.type} "{node.get("name")}" has no shape in it'
    checker.warn("empty-bounding-object", f"{text}; nothing collides with it", node, "boundingObject")


def _geometries(top: Node, checker: Checker) -> Iterator[Node]:
    """Yield the collision shapes below a node; report and skip other nodes."""
    stack: list[tuple[Node, Node | None]] = [(top, None)]
    while stack:
        node, transform = stack.pop()
        if is_unknown(node):
            continue
        root = node.root
        if root.spec.name in _SHAPES:
            yield root
        elif root.spec.is_a("Shape"):
            geometry = root.get("geometry")
            if isinstance(geometry, Node):
                stack.append((geometry, transform))
        elif root.spec.is_a("Group") and not root.spec.is_a("Solid"):
            stack += _children(root, transform, checker)
        else:
            text = f"{root.type} is not a collision shape and is ignored; allowed: {', '.join(_SHAPES)}, "
            checker.warn("not-a-bounding-object", text + "in Shape, Group or Transform", node)


def _children(root: Node, transform: Node | None, checker: Checker) -> list[tuple[Node, Node | None]]:
    if not root.spec.is_a("Pose") and not root.spec.is_a("Transform"):
        return [(child, transform) for child in reversed(root.get("children"))]
    count = len(root.get("children"))
    if transform is not None:
        text = f"{root.type} inside a {transform.type} in a boundingObject; only one level is allowed"
        checker.warn("nested-transform", text, root)
    if count > 1:
        text = f"{root.type} in a boundingObject has {count} children; Webots uses only the first; put a "
        checker.warn("many-children", f"{text}{root.type} around each, in a Group", root, "children")
    _check_scale(root, checker)
    return [(child, root) for child in reversed(root.get("children"))]


def _check_scale(transform: Node, checker: Checker) -> None:
    """Check scales: uniform for spheres and capsules, equal across the axis for cylinders."""
    scale = transform.get("scale") if "scale" in transform.spec.fields else (1.0, 1.0, 1.0)
    if not isinstance(scale, tuple) or _alike(scale):
        return
    geometry = _first_geometry(transform)
    if geometry is None:
        return
    if geometry.type in ("Sphere", "Capsule"):
        used = (scale[0],) * 3
    elif geometry.type == "Cylinder":
        z_up = geometry.source is not None and geometry.source.dialect.z_up
        used = (scale[0], scale[0], scale[2]) if z_up else (scale[0], scale[1], scale[0])
        if _alike(scale[:2] if z_up else scale[::2]):
            return
    else:
        return
    text = f"a {geometry.type} in a boundingObject can't be scaled by {shown_value(scale)}"
    checker.warn("bounding-scale", f"{text}; {shown_value(used)} is used instead", transform, "scale")


def _alike(numbers: tuple[float, ...]) -> bool:
    return max(numbers) - min(numbers) <= _SLACK * abs(max(numbers))


def _first_geometry(node: Node) -> Node | None:
    for child in node.get("children"):
        root: Node = child.root
        geometry = root.get("geometry") if root.spec.is_a("Shape") else root
        if isinstance(geometry, Node) and geometry.root.spec.is_a("Geometry"):
            return geometry.root
    return None


def _check_geometry(solid: Node, geometry: Node, checker: Checker) -> None:
    name = geometry.spec.name
    if name == "Plane" and _moves(solid):
        text = f'{solid.type} "{solid.get("name")}" has Physics and a Plane as bounding object; '
        checker.warn("moving-plane", text + "planes are for solids that never move", geometry)
    elif name in ("ElevationGrid", "Mesh") and solid.spec.is_a("Fluid"):
        checker.warn("fluid-shape", f"{name} can't be the shape of a Fluid; it has no effect", geometry)
    if name == "IndexedFaceSet":
        _check_triangles(geometry, checker)
    elif name == "ElevationGrid":
        _check_grid(geometry, checker)


def _moves(solid: Node) -> bool:
    return solid.spec.is_a("Solid") and solid.get("physics") is not None


def _check_triangles(geometry: Node, checker: Checker) -> None:
    """Check that a collision mesh in files up to 8.3.1 consists of triangles (3.39.2)."""
    source = geometry.source
    if source is None or source.version > _LAST_WITH_TRIANGLES_ONLY:
        return
    for number, corners in enumerate(faces(geometry.get("coordIndex"))):
        if corners != 3:
            text = f"face {number + 1} of this IndexedFaceSet has {corners} corners; in a boundingObject "
            text += f"files of {source.version} may have triangles only; it is divided into triangles"
            checker.warn("no-triangle", text, geometry, "coordIndex")
            return


def faces(indices: Any) -> Iterator[int]:
    """Yield the number of corners of each face of a coordIndex list."""
    corners = 0
    for index in indices:
        if index >= 0:
            corners += 1
        elif corners:
            yield corners
            corners = 0
    if corners:
        yield corners


def _check_grid(geometry: Node, checker: Checker) -> None:
    columns, rows = grid_size(geometry)
    if columns < 2 or rows < 2:
        text = f"this ElevationGrid has {columns} x {rows} points; a bounding object needs 2 x 2 or more"
        checker.warn("small-grid", f"{text}; nothing collides with it", geometry)


def grid_size(grid: Node) -> tuple[int, int]:
    """Return the points of an ElevationGrid in x and in its second dimension, named as in its release."""
    second = next((name for name in ("yDimension", "zDimension") if name in grid.fields), "yDimension")
    return grid.get("xDimension"), grid.get(second)


NODE_RULES = (("Solid", check_bounding), ("Fluid", check_bounding))
