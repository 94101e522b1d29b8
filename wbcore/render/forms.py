"""What is drawn of a geometry node: meshes of unit size that many nodes share, or a mesh of its own."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from math import sqrt

import numpy as np

from wbridge.wbcore.physics.pose import ZERO, Pose, Quat, Vec3, times
from wbridge.wbcore.physics.shared_meshes import digest_of
from wbridge.wbcore.physics.tree import node_in, number, up_of
from wbridge.wbcore.render import primitives
from wbridge.wbcore.render.single import single
from wbridge.wbcore.render.vertices import Vertices, creased, unique_rows
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.visual.polygons import Polygons, face_polygons, file_polygons, grid_polygons
from wbridge.wbcore.visual.skins import SkinPart

LEAST_PIXELS = (3.0, 12.0, 20.0, 45.0, 90.0)
"""Radii (pixels) below which the coarser tessellations of round shapes are drawn: their outline is at most
0.4 pixels off."""
NO_TURN: Quat = (1.0, 0.0, 0.0, 0.0)
TO_Y_UP: Quat = (sqrt(0.5), -sqrt(0.5), 0.0, 0.0)
TO_FRONT_Z: Quat = (0.5, -0.5, -0.5, -0.5)
Levels = list[tuple[Vertices, float]]
"""From coarse to fine, with the radius (pixels) below which each is drawn."""


@dataclass(frozen=True, slots=True)
class DrawnForm:
    """A mesh by its key, and how it lies in the frame of the geometry node."""

    key: Hashable
    make: Callable[[], Levels]
    turn: Quat = NO_TURN
    scale: Vec3 = (1.0, 1.0, 1.0)
    corners: int = 3
    """Vertices per element: 3 for triangles, 2 for lines, 1 for points."""
    version: Callable[[], int] | None = None
    """Of vertices that move: a number that changes when they have moved."""

    def placed(self, place: Pose) -> Pose:
        """Return the place of the mesh, without scale, from that of the geometry node."""
        return place.rigid @ Pose(ZERO, self.turn)


def drawn_form(world: World, geometry: Node, scale: Vec3) -> DrawnForm | None:
    """Return what is drawn of a geometry node in a frame with this scale; None for nothing.

    Raises:
        MeshError: the triangles or the file cannot be used.
    """
    make = _MAKERS.get(geometry.type)
    return None if make is None else make(world, geometry, scale)


def _positive(size: float) -> float:
    """Webots replaces sizes that are not positive by 1."""
    return size if size > 0 else 1.0


def _turn(node: Node) -> Quat:
    return TO_Y_UP if up_of(node) == "y" else NO_TURN


def _once(make: Callable[[], Vertices]) -> Callable[[], Levels]:
    return lambda: [(make(), 0.0)]


def _rounded(make: Callable[[int], Vertices | None]) -> Callable[[], Levels]:
    """Return levels of detail of a round shape."""

    def levels() -> Levels:
        made = []
        for segments, pixels in zip(primitives.SEGMENTS, (*LEAST_PIXELS, 0.0), strict=True):
            vertices = make(segments)
            assert vertices is not None, "shapes without parts have no form"
            made.append((vertices, pixels))
        return made

    return levels


def _box(world: World, node: Node, scale: Vec3) -> DrawnForm:
    x, y, z = (_positive(a * abs(b)) for a, b in zip(node.get("size"), scale, strict=True))
    if up_of(node) == "z":
        return DrawnForm("box", _once(primitives.box), NO_TURN, (x, y, z))
    # The front side, with the upright picture, was that of z and is now that of x.
    return DrawnForm("box with y up", _once(lambda: primitives.box(is_flipped=True)), TO_FRONT_Z, (z, x, y))


def _plane(world: World, node: Node, scale: Vec3) -> DrawnForm:
    sx, sy = node.get("size")
    size = (_positive(sx * abs(scale[0])), _positive(sy * abs(scale[2 if up_of(node) == "y" else 1])))
    return DrawnForm("plane", _once(primitives.plane), _turn(node), (*size, 1.0))


def _sphere(world: World, node: Node, scale: Vec3) -> DrawnForm:
    r = _positive(number(node, "radius"))
    return DrawnForm(
        "sphere", _rounded(primitives.sphere), _turn(node), times((r, r, r), _along(node, scale))
    )


def _along(node: Node, scale: Vec3) -> Vec3:
    """Return a scale along the axes of a form that `_turn` turns."""
    x, y, z = (abs(factor) for factor in scale)
    return (x, z, y) if up_of(node) == "y" else (x, y, z)


def _sizes(node: Node, radius: str, scale: Vec3) -> Vec3:
    """Return both diameters' halves and the height (m)."""
    r, height = _positive(number(node, radius)), _positive(number(node, "height"))
    return times((r, r, height), _along(node, scale))


def _parts(node: Node) -> tuple[bool, bool, bool]:
    bottom, side, top = (bool(node.get(name)) for name in ("bottom", "side", "top"))
    return bottom, side, top


def _cylinder(world: World, node: Node, scale: Vec3) -> DrawnForm | None:
    sizes, parts = _sizes(node, "radius", scale), _parts(node)
    make = _rounded(lambda n: primitives.cylinder(n, *parts))
    form = DrawnForm(("cylinder", parts), make, _turn(node), sizes)
    return form if any(parts) else None


def _cone(world: World, node: Node, scale: Vec3) -> DrawnForm | None:
    sizes = _sizes(node, "bottomRadius", scale)
    parts = bool(node.get("bottom")), bool(node.get("side"))
    make = _rounded(lambda n: primitives.cone(n, *parts))
    form = DrawnForm(("cone", parts), make, _turn(node), sizes)
    return form if any(parts) else None


def _capsule(world: World, node: Node, scale: Vec3) -> DrawnForm | None:
    (radius, _, height), parts = _sizes(node, "radius", (1.0, 1.0, 1.0)), _parts(node)
    make = _rounded(lambda n: primitives.capsule(n, radius, height, *parts))
    form = DrawnForm(("capsule", radius, height, parts), make, _turn(node), _along(node, scale))
    return form if any(parts) else None


def _grid(world: World, node: Node, scale: Vec3) -> DrawnForm:
    polygons = grid_polygons(node, scale)
    return _of_polygons(polygons, creased(polygons.points, polygons.triangles, np.pi))


def _faces(world: World, node: Node, scale: Vec3) -> DrawnForm:
    polygons = face_polygons(node, scale)
    given = _given_normals(node, polygons)
    if given is not None:
        return _of_polygons(polygons, given)
    merged = polygons.corners[polygons.triangles].astype(np.uint32)
    points = np.zeros((int(merged.max()) + 1, 3))
    points[polygons.corners] = polygons.points
    return _of_polygons(polygons, creased(points, merged, number(node, "creaseAngle")))


def _given_normals(node: Node, polygons: Polygons) -> np.ndarray | None:
    """Return the normals of the fields normal and normalIndex at the corners (k, 3, 3); None if they cannot
    be used."""
    given = node_in(node, "normal") if "normal" in node.spec.fields else None
    if given is None or not node.get("normalPerVertex"):
        return None
    vectors = np.array(given.get("vector").data).reshape(-1, 3)
    own = np.array(node.get("normalIndex"), dtype=np.int64)
    chosen = own[own >= 0] if len(own) else polygons.corners
    if len(chosen) != len(polygons.points) or len(vectors) == 0 or chosen.max() >= len(vectors):
        return None
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    found: np.ndarray = (vectors / np.where(lengths > 0, lengths, 1))[chosen][polygons.triangles]
    return found


def _mesh_file(world: World, node: Node, scale: Vec3) -> DrawnForm:
    polygons = file_polygons(world, node, scale)
    assert polygons.normals is not None, "meshes of files have normals"
    return _of_polygons(polygons, polygons.normals)


def _of_polygons(polygons: Polygons, normals: np.ndarray) -> DrawnForm:
    """Return separate triangles with normals (k, 3, 3) at their corners; equal vertices are merged."""
    corners = polygons.triangles.ravel()
    data = np.concatenate(
        [polygons.points[corners], normals.reshape(-1, 3), polygons.places[corners]], axis=1
    )
    rows, indices = unique_rows(single(data))
    triangles = indices.reshape(-1, 3).astype(np.uint32)
    vertices = Vertices(np.ascontiguousarray(rows), triangles)
    return DrawnForm(digest_of(rows, triangles), _once(lambda: vertices))


def _lines(world: World, node: Node, scale: Vec3) -> DrawnForm | None:
    """Return lines; as in Webots (WbIndexedLineSet.cpp), those to points that do not exist are left out."""
    points = _coordinates(node, scale)
    indices = np.array(node.get("coordIndex"), dtype=np.int64)
    pairs = np.stack([indices[:-1], indices[1:]], axis=1) if len(indices) else np.zeros((0, 2), np.int64)
    pairs = pairs[((pairs >= 0) & (pairs < len(points))).all(axis=1)]
    return _of_points(points, _of_material(), pairs) if len(pairs) else None


def _points(world: World, node: Node, scale: Vec3) -> DrawnForm | None:
    """Return points; as in Webots (WbPointSet.cpp), with too few colors only the first ones are drawn."""
    points, color = _coordinates(node, scale), node_in(node, "color")
    colors = _of_material()
    if color is not None:
        colors = np.array(color.get("color").data).reshape(-1, 3)[: len(points)]
        points = points[: len(colors)]
    return _of_points(points, colors, np.arange(len(points))[:, None]) if len(points) else None


def _of_material() -> np.ndarray:
    """Return what stands in place of a color: that of the material."""
    return np.full((1, 3), -1.0)


def _coordinates(node: Node, scale: Vec3) -> np.ndarray:
    coord = node_in(node, "coord")
    points = np.zeros((0, 3)) if coord is None else np.array(coord.get("point").data).reshape(-1, 3)
    scaled: np.ndarray = points * np.asarray(scale)
    return scaled


def _of_points(points: np.ndarray, colors: np.ndarray, indices: np.ndarray) -> DrawnForm:
    colors = np.broadcast_to(colors, points.shape)
    vertices = Vertices.of(points, colors, np.zeros((len(points), 2)), indices)
    key = digest_of(vertices.data, vertices.indices)
    return DrawnForm(key, _once(lambda: vertices), corners=indices.shape[1])


def _skin_part(world: World, node: Node, scale: Vec3) -> DrawnForm | None:
    assert isinstance(node, SkinPart), "other nodes have other types"
    skin, mesh = node.skin, node.skin.model.mesh
    chosen = np.flatnonzero(mesh.materials == node.material)
    if not len(chosen):
        return None
    corners = mesh.triangles[chosen].ravel()
    places = np.full((len(corners), 2), 0.5)
    if mesh.places is not None:
        places = np.nan_to_num(mesh.places[chosen] * (1.0, -1.0) + (0.0, 1.0), nan=0.5).reshape(-1, 2)
    indices = np.arange(len(corners)).reshape(-1, 3)

    def make() -> Vertices:
        points, normals = skin.deformed()
        return Vertices.of(points[corners], normals[chosen].reshape(-1, 3), places, indices)

    return DrawnForm(node, _once(make), scale=scale, version=skin.version)


def _muscle(world: World, node: Node, scale: Vec3) -> DrawnForm:
    """Return a sphere with a radius of 1; see `Muscle.place`."""
    return DrawnForm("sphere", _rounded(primitives.sphere))


_MAKERS: dict[str, Callable[[World, Node, Vec3], DrawnForm | None]] = {
    "Box": _box,
    "Capsule": _capsule,
    "Cone": _cone,
    "Cylinder": _cylinder,
    "ElevationGrid": _grid,
    "IndexedFaceSet": _faces,
    "IndexedLineSet": _lines,
    "Mesh": _mesh_file,
    "MusclePart": _muscle,
    "Plane": _plane,
    "PointSet": _points,
    "SkinPart": _skin_part,
    "Sphere": _sphere,
}
