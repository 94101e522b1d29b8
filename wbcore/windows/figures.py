"""Points of visual geometries, for their outlines in drawings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from wbridge.wbcore.physics.mesh_files import mesh_of
from wbridge.wbcore.physics.meshes import Mesh, from_indices
from wbridge.wbcore.physics.pose import Vec3, times
from wbridge.wbcore.physics.tree import node_in, number, up_of
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.windows.hulls import box_corners, grid_corners, sphere_points, thinned, tube_points

MOST_TRIANGLES = 300
"""Larger meshes are drawn by their hull only."""


@dataclass(slots=True)
class Figure:
    """Points of a geometry (m, scaled); small meshes also have triangles, counterclockwise from outside."""

    points: list[Vec3]
    triangles: list[tuple[int, int, int]] | None = None
    level: tuple[tuple[int, int, int], ...] = ()
    """Corners of the level faces of simple shapes."""

    @property
    def faces(self) -> Iterator[tuple[Vec3, Vec3, Vec3]]:
        """Iterate over faces that may have a picture."""
        for a, b, c in self.triangles or self.level:
            yield self.points[a], self.points[b], self.points[c]


def figure_of(world: World, geometry: Node, scale: Vec3) -> Figure | None:
    """Return the figure of a geometry node in a frame with this scale; None for one without a surface.

    Raises:
        MeshError: the triangles or the file cannot be used.
    """
    make = _MAKERS.get(geometry.type)
    try:
        return None if make is None else make(world, geometry, scale)
    except ModuleNotFoundError:
        return None  # a web page may have no numpy: meshes then have no outline


def _box(world: World, node: Node, scale: Vec3) -> Figure:
    # Corner 0 is at -x -y -z; y changes before z.
    faces = ((1, 5, 3), (0, 2, 4), (4, 6, 5), (0, 1, 2), (2, 3, 6), (0, 4, 1))
    return Figure(box_corners(times(node.get("size"), scale)), level=faces)


def _sphere(world: World, node: Node, scale: Vec3) -> Figure:
    return Figure([times(point, scale) for point in sphere_points(number(node, "radius"))])


def _tube(world: World, node: Node, scale: Vec3) -> Figure:
    up, height = up_of(node), number(node, "height")
    if node.type == "Cone":
        points = tube_points(number(node, "bottomRadius"), height, up, 0.0)
    else:
        points = tube_points(number(node, "radius"), height, up)
    return Figure([times(point, scale) for point in points])


def _plane(world: World, node: Node, scale: Vec3) -> Figure:
    up = up_of(node)
    sx, sy = node.get("size")
    x, y = sx * abs(scale[0]) / 2, sy * abs(scale[2 if up == "y" else 1]) / 2
    points = [(-x, -y, 0.0), (x, -y, 0.0), (x, y, 0.0), (-x, y, 0.0)]
    return Figure([(a, c, -b) for a, b, c in points] if up == "y" else points, level=((0, 1, 2),))


def _grid(world: World, node: Node, scale: Vec3) -> Figure:
    second = "z" if up_of(node) == "y" else "y"
    columns, rows = int(node.get("xDimension")), int(node.get(f"{second}Dimension"))
    dx = number(node, "xSpacing") * scale[0]
    dy = number(node, f"{second}Spacing") * scale["xyz".index(second)]
    corners = grid_corners(dx, dy, columns, rows)
    return Figure([(x, 0.0, y) for x, y, _ in corners] if second == "z" else corners)


def _faces(world: World, node: Node, scale: Vec3) -> Figure | None:
    coord = node_in(node, "coord")
    if coord is None:
        return None
    points = np.array(coord.get("point").data).reshape(-1, 3)
    return _of_mesh(
        from_indices(points, np.array(node.get("coordIndex"), dtype=np.int64)).scaled(scale), node
    )


def _mesh_file(world: World, node: Node, scale: Vec3) -> Figure:
    return _of_mesh(mesh_of(world, node).scaled(scale), node)


def _of_mesh(mesh: Mesh, node: Node) -> Figure:
    if len(mesh.triangles) > MOST_TRIANGLES:
        return Figure(thinned(mesh.vertices))
    triangles = mesh.triangles if node.get("ccw") else mesh.triangles[:, ::-1]
    points = [(x, y, z) for x, y, z in mesh.vertices.tolist()]
    return Figure(points, [(a, b, c) for a, b, c in triangles.tolist()])


_MAKERS: dict[str, Callable[[World, Node, Vec3], Figure | None]] = {
    "Box": _box,
    "Capsule": _tube,
    "Cone": _tube,
    "Cylinder": _tube,
    "ElevationGrid": _grid,
    "IndexedFaceSet": _faces,
    "Mesh": _mesh_file,
    "Plane": _plane,
    "Sphere": _sphere,
}
