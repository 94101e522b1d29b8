"""The triangles of elevation grids, face sets and mesh files, with texture coordinates at their vertices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from wbridge.wbcore.physics.mesh_files import mesh_of
from wbridge.wbcore.physics.meshes import Mesh, MeshError, from_indices, unit_vectors
from wbridge.wbcore.physics.pose import Vec3
from wbridge.wbcore.physics.tree import node_in, number, up_of
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node

if TYPE_CHECKING:
    from numpy.typing import NDArray

Points: TypeAlias = "NDArray[np.float64]"
Corners: TypeAlias = "NDArray[np.uint32]"


@dataclass(frozen=True, eq=False, slots=True)
class Polygons:
    """`points`: (n, 3) m; `triangles`: (k, 3), counterclockwise seen from outside; `places`: (n, 2) texture
    coordinates, u from the left, v from the top; `corners`: the vertex of the node or file that each point
    is a copy of."""

    points: Points
    triangles: Corners
    places: Points
    corners: NDArray[np.int64]
    extent: tuple[float, float] = (0.0, 0.0)
    """Width and depth (m) of a grid."""
    normals: Points | None = None
    """(k, 3, 3): at the corners of the triangles of a file."""


def grid_polygons(node: Node, scale: Vec3) -> Polygons:
    """Return the surface of an ElevationGrid in a frame with this scale.

    Raises:
        MeshError: it has no surface.
    """
    up = up_of(node)
    second = "z" if up == "y" else "y"
    columns, rows = int(node.get("xDimension")), int(node.get(f"{second}Dimension"))
    if columns < 2 or rows < 2:
        raise MeshError(f"an ElevationGrid of {columns} by {rows} points has no surface")
    heights = np.zeros(columns * rows)
    given = np.array(node.get("height"), dtype=np.float64)[: columns * rows]
    heights[: len(given)] = given
    dx = number(node, "xSpacing") * scale[0]
    dy = number(node, f"{second}Spacing") * scale["xyz".index(second)]
    y, x = np.meshgrid(np.arange(rows) * dy, np.arange(columns) * dx, indexing="ij")
    z = heights * scale["xyz".index(up)]
    points = np.stack([x.ravel(), z, y.ravel()] if up == "y" else [x.ravel(), y.ravel(), z], axis=1)
    at = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    a, b, c, d = at, at + 1, at + columns + 1, at + columns
    triangles = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]).astype(np.uint32)
    u = np.tile(np.linspace(0, 1, columns), rows)
    v = np.repeat(np.linspace(0, 1, rows), columns)
    extent = ((columns - 1) * dx, (rows - 1) * dy)
    if up == "y":
        # The rows of older grids go toward the viewer: the top of the picture is at their start.
        return Polygons(points, triangles[:, ::-1], np.stack([u, v], 1), np.arange(len(points)), extent)
    return Polygons(points, triangles, np.stack([u, 1 - v], 1), np.arange(len(points)), extent)


def face_polygons(node: Node, scale: Vec3) -> Polygons:
    """Return the faces of an IndexedFaceSet; each corner of a face is a separate point with its own texture
    coordinates.

    Raises:
        MeshError: the faces are not usable.
    """
    indices = np.array(node.get("coordIndex"), dtype=np.int64)
    coord = node_in(node, "coord")
    points = np.zeros((0, 3)) if coord is None else np.array(coord.get("point").data).reshape(-1, 3)
    corners = indices[indices >= 0]
    if len(corners) == 0 or corners.max() >= len(points):
        raise MeshError("a face uses a point that does not exist, or there are no faces")
    numbered = np.where(indices >= 0, np.cumsum(indices >= 0) - 1, -1)
    mesh = from_indices(points[corners] * np.asarray(scale), numbered)
    triangles = mesh.triangles if node.get("ccw") else mesh.triangles[:, ::-1]
    places = _texture_places(node, corners)
    if places is None:
        places = _default_places(mesh.vertices)
    return Polygons(mesh.vertices, triangles, places, corners)


def _texture_places(node: Node, corners: NDArray[np.int64]) -> Points | None:
    """Return the field texCoord for each corner; None if it is not usable, as in Webots."""
    coordinates = node_in(node, "texCoord")
    if coordinates is None:
        return None
    places = np.array(coordinates.get("point").data).reshape(-1, 2)
    own = np.array(node.get("texCoordIndex"), dtype=np.int64)
    chosen = own[own >= 0] if len(own) else corners
    if len(chosen) != len(corners) or len(places) == 0 or chosen.max() >= len(places):
        return None
    mapped: Points = places[chosen] * (1.0, -1.0) + (0.0, 1.0)
    return mapped


def _default_places(vertices: Points) -> Points:
    """Default texture coordinates: u along the longest side of the bounding box, v along the second longest,
    with equal scale."""
    low, size = vertices.min(axis=0), np.ptp(vertices, axis=0)
    first, second = np.argsort(-size, kind="stable")[:2]
    length = size[first] or 1.0
    u = (vertices[:, first] - low[first]) / length
    v = 1 - (vertices[:, second] - low[second]) / length
    return np.stack([u, v], axis=1)


def file_polygons(world: World, node: Node, scale: Vec3) -> Polygons:
    """Return the triangles of a Mesh node's file.

    Corners without texture coordinates have the middle of the picture, as in Webots (WbMesh.cpp).

    Raises:
        MeshError: the file is missing, or not usable.
    """
    mesh = mesh_of(world, node).scaled(scale)
    if not node.get("ccw"):
        mesh = mesh.flipped()
    corners = np.arange(len(mesh.vertices))
    if mesh.places is None:
        places = np.full((len(mesh.vertices), 2), 0.5)
        return Polygons(mesh.vertices, mesh.triangles, places, corners, normals=normals_of(mesh))
    places = np.where(np.isnan(mesh.places), 0.5, mesh.places * (1.0, -1.0) + (0.0, 1.0)).reshape(-1, 2)
    corners = mesh.triangles.ravel().astype(np.int64)
    triangles = np.arange(len(corners), dtype=np.uint32).reshape(-1, 3)
    points = np.ascontiguousarray(mesh.vertices[corners])
    return Polygons(points, triangles, places, corners, normals=normals_of(mesh))


def normals_of(mesh: Mesh) -> Points:
    """Return the normals of a file at the corners of triangles (k, 3, 3); where it has none, the mean of the
    normals of all triangles of the same part of the file at the same point.

    Source: the import settings of WbMesh.cpp: smooth normals, without a crease angle.
    """
    normals = mesh.normals
    if normals is not None and not np.isnan(normals).any():
        return normals
    a, b, c = (mesh.vertices[mesh.triangles[:, k]] for k in range(3))
    flat = np.nan_to_num(unit_vectors(np.cross(b - a, c - a)))
    parts = np.zeros(len(flat)) if mesh.parts is None else mesh.parts
    points = mesh.vertices[mesh.triangles].reshape(-1, 3)
    keys = np.concatenate([points, np.repeat(parts, 3)[:, None]], axis=1)
    numbers = np.unique(keys, axis=0, return_inverse=True)[1].reshape(-1)
    sums = np.zeros((int(numbers.max()) + 1, 3))
    np.add.at(sums, numbers, np.repeat(flat, 3, axis=0))
    smooth = unit_vectors(sums[numbers]).reshape(-1, 3, 3)
    smooth = np.where(np.isnan(smooth), flat[:, None, :], smooth)
    return smooth if normals is None else np.where(np.isnan(normals), smooth, normals)
