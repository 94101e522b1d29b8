"""Convert visual geometries to engine shapes: exact if the engine has the shape, else fine triangles."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.pose import Vec3
from wbridge.wbcore.physics.shared_meshes import engine_mesh, small_mesh
from wbridge.wbcore.physics.tree import number, up_of
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.visual.polygons import Polygons, face_polygons, file_polygons, grid_polygons
from wbridge.wbcore.visual.small_faces import small_faces, table

if TYPE_CHECKING:
    from numpy.typing import NDArray

COARSEST, FINEST = 64, 512
"""Least and most triangles around an open capsule."""
TOO_SMALL = 2e-5
"""How much smaller its radius may be in the middle of a triangle (m)."""
Mapping = _engine.Mapping
Points: TypeAlias = "NDArray[np.float64]"
# Matrices from the axes of a shape to those of its mapping.
FROM_Y_UP = (1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0)
FROM_FRONT_Z = (0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
WITH_Z_AS_Y = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0)
Line: TypeAlias = tuple[tuple[float, float], tuple[float, float]]
"""From (radius, height) to (radius, height)."""


@dataclass(slots=True, eq=False)
class Form:
    """An engine shape, and the mapping of its points (own frame, m) to a texture."""

    shape: _engine.Shape
    mapping: _engine.Mapping


def form_of(world: World, geometry: Node, scale: Vec3) -> Form | None:
    """Return the form of a geometry node in a frame with this scale; None for one without a surface.

    Raises:
        MeshError: the triangles or the file cannot be used.
    """
    make = _MAKERS.get(geometry.type)
    if make in (_sphere, _cylinder, _capsule, _cone) and not _stays_round(geometry, scale):
        return _stretched(geometry, scale)
    return None if make is None else make(world, geometry, scale)


def _stays_round(node: Node, scale: Vec3) -> bool:
    x, y, z = (abs(factor) for factor in scale)
    across, along = (z, y) if up_of(node) == "y" else (y, z)
    return x == across and (x == along or node.type in ("Cone", "Cylinder"))


def _stretched(node: Node, scale: Vec3) -> Form | None:
    """Return the triangles of a round shape with another scale along each axis."""
    unit = (1.0, 1.0, 1.0)
    radius, height, up = _sizes(node, "bottomRadius" if node.type == "Cone" else "radius", unit)
    of = {
        "Sphere": lambda: Mapping.sphere(radius),
        "Cylinder": lambda: Mapping.cylinder(radius, height),
        "Capsule": lambda: Mapping.capsule(radius, height),
        "Cone": lambda: Mapping.cone(radius, height),
    }[node.type]()
    shrunk = np.reshape(FROM_Y_UP if up == "y" else np.eye(3), (3, 3)) / np.abs(scale)
    return _revolved(_outline(node, radius, height), up, of.with_axes(shrunk.ravel().tolist()), scale)


def _outline(node: Node, radius: float, height: float) -> list[Line]:
    """Return the lines from (radius, height) to (radius, height) of a round shape's parts, from below."""
    steps = _sides(radius) // 4 if node.type in ("Capsule", "Sphere") else 0
    arc = [math.pi / 2 * i / steps for i in range(steps + 1)] if steps else []
    top = 0.0 if node.type == "Cone" else radius
    rim = [(radius * math.cos(a), height / 2 + radius * math.sin(a)) for a in arc] or [
        (top, height / 2),
        (0.0, height / 2),
    ]
    upper: list[Line] = list(zip(rim, rim[1:], strict=False))
    lower: list[Line] = [((c, -d), (a, -b)) for (a, b), (c, d) in upper]
    if node.type == "Cone":
        lower = [((0.0, -height / 2), (radius, -height / 2))]
    parts = {"bottom": lower, "side": [((radius, -height / 2), (top, height / 2))], "top": upper}
    is_seen = [name for name in parts if name not in node.spec.fields or node.get(name)]
    return [line for name in is_seen for line in parts[name]]


def _sizes(node: Node, radius: str, scale: Vec3) -> tuple[float, float, str]:
    up = up_of(node)
    k = 1 if up == "y" else 2
    height = _positive(number(node, "height") * abs(scale[k])) if "height" in node.spec.fields else 0.0
    return _positive(number(node, radius) * abs(scale[0])), height, up


def _positive(size: float) -> float:
    """Webots replaces sizes that are not positive by 1."""
    return size if size > 0 else 1.0


def _turned(of: _engine.Mapping, up: str) -> _engine.Mapping:
    """Return a mapping for points of a frame with y up."""
    return of if up == "z" else of.with_axes(FROM_Y_UP)


def _box(world: World, node: Node, scale: Vec3) -> Form:
    x, y, z = (_positive(a * abs(b)) for a, b in zip(node.get("size"), scale, strict=True))
    if up_of(node) == "z":
        return Form(_engine.Shape.box((x, y, z)), Mapping.box((x, y, z)))
    # The front side, with the upright picture, was that of z and is now that of x. The pictures of top and
    # bottom had their right edges toward +x, and have them there again: see the manual's chapter Box.
    return Form(_engine.Shape.box((x, y, z)), Mapping.box((z, x, y), is_flipped=True).with_axes(FROM_FRONT_Z))


def _sphere(world: World, node: Node, scale: Vec3) -> Form:
    radius = _positive(number(node, "radius") * max(abs(factor) for factor in scale))
    return Form(_engine.Shape.sphere(radius), _turned(Mapping.sphere(radius), up_of(node)))


def _cylinder(world: World, node: Node, scale: Vec3) -> Form | None:
    radius, height, up = _sizes(node, "radius", scale)
    of = _turned(Mapping.cylinder(radius, height), up)
    bottom, side, top = (bool(node.get(name)) for name in ("bottom", "side", "top"))
    if bottom and side and top:
        return Form(_engine.Shape.cylinder(radius, height, up), of)
    return Form(_engine.Shape.frustum(radius, radius, height, bottom, side, top, up), of)


def _capsule(world: World, node: Node, scale: Vec3) -> Form | None:
    radius, height, up = _sizes(node, "radius", scale)
    of = _turned(Mapping.capsule(radius, height), up)
    bottom, side, top = (bool(node.get(name)) for name in ("bottom", "side", "top"))
    if bottom and side and top:
        return Form(_engine.Shape.capsule(radius, height, up), of)
    return _revolved(_outline(node, radius, height), up, of)


def _cone(world: World, node: Node, scale: Vec3) -> Form | None:
    radius, height, up = _sizes(node, "bottomRadius", scale)
    shape = _engine.Shape.frustum(
        radius, 0.0, height, bool(node.get("bottom")), bool(node.get("side")), up=up
    )
    return Form(shape, _turned(Mapping.cone(radius, height), up))


def _sides(radius: float) -> int:
    """Return the number of triangles around a circle (m), a multiple of 4."""
    share = min(1.0, TOO_SMALL / radius) if radius > 0 else 1.0
    return 4 * math.ceil(min(max(math.pi / math.acos(1 - share), COARSEST), FINEST) / 4)


def _revolved(lines: list[Line], up: str, of: _engine.Mapping, scale: Vec3 = (1.0, 1.0, 1.0)) -> Form | None:
    """Return the surface of revolution of lines from (radius, height) to (radius, height) around z, scaled.

    The outside is to the right of a line's direction.
    """
    triangles: list[Points] = []
    sides = _sides(max((max(r, s) for (r, _), (s, _) in lines), default=0))
    angles = 2 * math.pi * np.arange(sides + 1) / sides
    around = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    for (r, z), (s, w) in lines:
        lower = np.column_stack([r * around, np.full(len(angles), z)])
        upper = np.column_stack([s * around, np.full(len(angles), w)])
        if r > 0:
            triangles.append(np.stack([lower[:-1], lower[1:], upper[1:]], axis=1))
        if s > 0:
            triangles.append(np.stack([lower[:-1], upper[1:], upper[:-1]], axis=1))
    if not triangles:
        return None
    points = np.concatenate(triangles).reshape(-1, 3)
    if up == "y":
        points = np.stack([points[:, 0], points[:, 2], -points[:, 1]], axis=1)
    points = points * np.abs(scale)
    return Form(_shape(points, np.arange(len(points), dtype=np.uint32).reshape(-1, 3)), of)


def _plane(world: World, node: Node, scale: Vec3) -> Form:
    up = up_of(node)
    sx, sy = node.get("size")
    size = (_positive(sx * abs(scale[0])), _positive(sy * abs(scale[2 if up == "y" else 1])))
    x, y = size[0] / 2, size[1] / 2
    points = [(-x, -y, 0.0), (x, -y, 0.0), (x, y, 0.0), (-x, y, 0.0)]
    if up == "y":
        points = [(a, c, -b) for a, b, c in points]
    shape = _engine.Shape.mesh(small_mesh(table(points), table([(0, 1, 2), (0, 2, 3)], "I")))
    return Form(shape, _turned(Mapping.plane(size), up))


def _grid(world: World, node: Node, scale: Vec3) -> Form:
    polygons = grid_polygons(node, scale)
    (x, y), is_flipped = polygons.extent, up_of(node) == "y"
    of = Mapping.grid(x, y, is_flipped=is_flipped)
    return Form(_shape(polygons.points, polygons.triangles), of.with_axes(WITH_Z_AS_Y) if is_flipped else of)


def _faces(world: World, node: Node, scale: Vec3) -> Form:
    few = small_faces(node, scale)
    if few is None:
        return _mapped(face_polygons(node, scale))
    mesh = small_mesh(few.points, few.triangles)
    return Form(_engine.Shape.mesh(mesh), Mapping.triangles(mesh, few.places))  # type: ignore[arg-type]


def _mesh_file(world: World, node: Node, scale: Vec3) -> Form:
    return _mapped(file_polygons(world, node, scale))


def _mapped(polygons: Polygons) -> Form:
    """Return triangles with texture coordinates at their vertices."""
    mesh = engine_mesh(polygons.points, polygons.triangles)
    return Form(_engine.Shape.mesh(mesh), Mapping.triangles(mesh, np.ascontiguousarray(polygons.places)))


def _shape(vertices: Points, triangles: NDArray[np.uint32]) -> _engine.Shape:
    return _engine.Shape.mesh(engine_mesh(vertices, triangles))


_MAKERS: dict[str, Callable[[World, Node, Vec3], Form | None]] = {
    "Box": _box,
    "Capsule": _capsule,
    "Cone": _cone,
    "Cylinder": _cylinder,
    "ElevationGrid": _grid,
    "IndexedFaceSet": _faces,
    "Mesh": _mesh_file,
    "Plane": _plane,
    "Sphere": _sphere,
}
