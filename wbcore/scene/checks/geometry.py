"""Meshes and grids: indices, numbers of points, heights and colors (manual, 3.27, 3.39, 3.40)."""

from __future__ import annotations

from wbridge.wbcore.scene.checks._checker import Checker
from wbridge.wbcore.scene.checks.bounding import faces, grid_size
from wbridge.wbcore.scene.limits import MOST_GRID_POINTS
from wbridge.wbcore.scene.node import Node


def check_indices(node: Node, checker: Checker) -> None:
    """Check that each index refers to an existing point."""
    if node.use_of is None:
        _check_index(node, ("coordIndex", "coord", "point"), checker)


def check_faces(node: Node, checker: Checker) -> None:
    """Check that faces have at least three corners, and texture coordinates for each."""
    if node.use_of is not None:
        return
    for number, corners in enumerate(faces(node.get("coordIndex"))):
        if corners < 3:
            text = f"face {number + 1} of this IndexedFaceSet has {corners} corners; a face has at least 3"
            checker.warn("face", f"{text}; it is skipped", node, "coordIndex")
            break
    _check_index(node, ("texCoordIndex", "texCoord", "point"), checker)
    _check_index(node, ("normalIndex", "normal", "vector"), checker)
    _check_lengths(node, checker)


def _check_lengths(node: Node, checker: Checker) -> None:
    corners, textures = len(node.get("coordIndex")), len(node.get("texCoordIndex"))
    if textures and abs(corners - textures) > 1:
        text = f"IndexedFaceSet.texCoordIndex has {textures} values, coordIndex {corners}; they must agree"
        checker.warn("texture-index", text, node, "texCoordIndex")


def _check_index(node: Node, names: tuple[str, str, str], checker: Checker) -> None:
    index_name, holder_name, list_name = names
    indices, holder = node.get(index_name), node.get(holder_name)
    if not len(indices):
        return
    points = holder.root.get(list_name) if _has(holder, list_name) else ()
    largest = max(indices)
    if largest < len(points):
        return
    at = next(i for i, index in enumerate(indices) if index >= len(points))
    text = f"value {at + 1} of {node.type}.{index_name} is {indices[at]}; {holder_name} has {len(points)} "
    text += f"{list_name}s" if len(points) != 1 else list_name
    allowed = f"allowed: 0 to {len(points) - 1}, and -1 between faces" if len(points) else "none can be named"
    checker.warn("index", f"{text}; {allowed}", node, index_name)


def _has(node: object, field: str) -> bool:
    """True for a node with such a field: another rule reports a node of a wrong type."""
    return isinstance(node, Node) and field in node.root.spec.fields


def check_grid(node: Node, checker: Checker) -> None:
    """Check that each point of a grid has one height."""
    if node.use_of is not None:
        return
    (columns, rows), heights = grid_size(node), len(node.get("height"))
    wanted = columns * rows
    if columns > 0 and wanted > MOST_GRID_POINTS:
        text = f"ElevationGrid has {columns} x {rows} points; allowed: {MOST_GRID_POINTS}"
        checker.error("out-of-bounds", text, node, "xDimension")
        return
    if heights > wanted:
        text = f"ElevationGrid.height has {heights} values for {columns} x {rows} points; the last"
        checker.warn("heights", f"{text} {heights - wanted} are ignored", node, "height")
    elif 0 < heights < wanted:
        text = f"ElevationGrid.height has {heights} values for {columns} x {rows} points; the others are 0"
        checker.warn("heights", text, node, "height")
    _check_colors(node, columns, rows, checker)


def _check_colors(node: Node, columns: int, rows: int, checker: Checker) -> None:
    color = node.get("color")
    if not _has(color, "color"):
        return
    count = len(color.root.get("color"))
    per_vertex = node.get("colorPerVertex")
    wanted = columns * rows if per_vertex else max(columns - 1, 0) * max(rows - 1, 0)
    if count not in (0, 2) and count < wanted:
        text = f"ElevationGrid.color has {count} colors; needed: {wanted}, or 2 for a checkerboard"
        checker.warn("colors", text, node, "color")


NODE_RULES = (
    ("IndexedFaceSet", check_indices),
    ("IndexedFaceSet", check_faces),
    ("IndexedLineSet", check_indices),
    ("ElevationGrid", check_grid),
)
