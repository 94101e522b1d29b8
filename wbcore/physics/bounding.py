"""Flatten bounding objects into geometries with their pose in the solid and the scale applied.

A bounding object is a geometry, a Shape, or a Group, Pose or Transform of them, also by USE. The axis of
round shapes, planes and height fields follows the coordinate system of the file that declares the geometry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from wbridge.wbcore.physics.mesh_files import mesh_of
from wbridge.wbcore.physics.meshes import Mesh, MeshError, from_indices
from wbridge.wbcore.physics.plan import Geometry
from wbridge.wbcore.physics.pose import Pose, Vec3
from wbridge.wbcore.physics.shared_meshes import shared
from wbridge.wbcore.physics.tree import is_frame, node_path, nodes_in, number, pose_of, up_of
from wbridge.wbcore.scene.diagnostics import Report
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node

DEPTH = 64


class BoundingObjects:
    """Read the bounding objects of one world; report and skip what cannot be used."""

    def __init__(self, world: World, report: Report) -> None:
        self._world = world
        self._report = report

    def geometries(self, holder: Node, scale: Vec3) -> list[Geometry]:
        """Return the geometries of a Solid's or Fluid's bounding object; `scale` is that of the holder."""
        start = Pose(scale=scale)
        found = (self._flatten(node, start, 0) for node in nodes_in(holder, "boundingObject"))
        return [geometry for several in found for geometry in several]

    def _flatten(self, node: Node, frame: Pose, depth: int) -> Iterator[Geometry]:
        node = node.root
        if depth > DEPTH:
            self._report.error(
                "bounding-object", "this bounding object is nested too deeply", node.source, node.offset
            )
        elif node.is_a("Geometry"):
            yield from self._geometry(node, frame)
        elif node.is_a("Shape"):
            for geometry in nodes_in(node, "geometry"):
                yield from self._flatten(geometry, frame, depth + 1)
        elif node.is_a("Group"):
            inner = frame @ pose_of(node) if is_frame(node) else frame
            for child in nodes_in(node, "children"):
                yield from self._flatten(child, inner, depth + 1)
        elif node.type == "CadShape":
            self._leave_out(node, "a CadShape has no collision geometry; use a Mesh or simple shapes")

    def _geometry(self, node: Node, frame: Pose) -> Iterator[Geometry]:
        maker = _MAKERS.get(node.type)
        if maker is None:
            known = ", ".join(_MAKERS)
            self._leave_out(node, f"{node.type} has no collision geometry; use one of {known}")
            return
        try:
            yield maker(self, node, frame)
        except MeshError as problem:
            self._leave_out(node, str(problem))

    def _leave_out(self, node: Node, why: str) -> None:
        text = f"{node_path(node)}: not used in the bounding object: {why}"
        self._report.warning("bounding-object", text, node.source, node.offset)

    def _box(self, node: Node, frame: Pose) -> Geometry:
        x, y, z = node.get("size")
        sx, sy, sz = frame.scale
        return Geometry(node, "box", _positive(x * sx, y * sy, z * sz), frame.rigid, up_of(node))

    def _sphere(self, node: Node, frame: Pose) -> Geometry:
        return Geometry(
            node, "sphere", _positive(number(node, "radius") * frame.scale[0]), frame.rigid, up_of(node)
        )

    def _round(self, node: Node, frame: Pose) -> Geometry:
        up = up_of(node)
        size = _positive(
            number(node, "radius") * frame.scale[0], number(node, "height") * frame.scale["xyz".index(up)]
        )
        return Geometry(node, node.type.lower(), size, frame.rigid, up)

    def _plane(self, node: Node, frame: Pose) -> Geometry:
        return Geometry(node, "plane", (), frame.rigid, up_of(node))

    def _grid(self, node: Node, frame: Pose) -> Geometry:
        up = up_of(node)
        second = "z" if up == "y" else "y"
        columns, rows = int(node.get("xDimension")), int(node.get(f"{second}Dimension"))
        heights = [float(height) * frame.scale["xyz".index(up)] for height in node.get("height")]
        if columns < 2 or rows < 2:
            raise MeshError(f"an ElevationGrid of {columns} by {rows} points has no surface")
        # The height field may have fewer values than the grid has points; the rest are 0.
        heights += [0.0] * (columns * rows - len(heights))
        size = (
            number(node, "xSpacing") * frame.scale[0],
            number(node, f"{second}Spacing") * frame.scale["xyz".index(second)],
            number(node, "thickness"),
        )
        table = [heights[row * columns : (row + 1) * columns] for row in range(rows)]
        return Geometry(node, "heightfield", size, frame.rigid, up, heights=table)

    def _faces(self, node: Node, frame: Pose) -> Geometry:
        coord = next(iter(nodes_in(node, "coord")), None)
        points = np.zeros((0, 3)) if coord is None else np.array(coord.root.get("point").data).reshape(-1, 3)
        indices = np.array(node.get("coordIndex"), dtype=np.int64)
        return self._surface(node, frame, from_indices(points, indices))

    def _mesh_file(self, node: Node, frame: Pose) -> Geometry:
        return self._surface(node, frame, mesh_of(self._world, node))

    def _surface(self, node: Node, frame: Pose, mesh: Mesh) -> Geometry:
        mesh = mesh.scaled(frame.scale)
        return Geometry(
            node, "mesh", (), frame.rigid, mesh=shared(mesh if node.get("ccw") else mesh.flipped())
        )


def _positive(*size: float) -> tuple[float, ...]:
    """Return the effective size: Webots replaces sizes that are not positive by 1."""
    return tuple(factor if factor > 0 else 1.0 for factor in size)


_Maker = Callable[[BoundingObjects, Node, Pose], Geometry]
_MAKERS: dict[str, _Maker] = {
    "Box": BoundingObjects._box,
    "Sphere": BoundingObjects._sphere,
    "Capsule": BoundingObjects._round,
    "Cylinder": BoundingObjects._round,
    "Plane": BoundingObjects._plane,
    "ElevationGrid": BoundingObjects._grid,
    "IndexedFaceSet": BoundingObjects._faces,
    "Mesh": BoundingObjects._mesh_file,
}
