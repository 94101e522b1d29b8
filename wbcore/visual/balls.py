"""Bounding spheres of visual shapes."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.meshes import MeshError
from wbridge.wbcore.physics.plan import SolidPlan
from wbridge.wbcore.physics.pose import Pose, Vec3
from wbridge.wbcore.physics.tree import node_in, number, up_of
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.visual.polygons import face_polygons, file_polygons, grid_polygons
from wbridge.wbcore.visual.shapes import shapes_of

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Ball(NamedTuple):
    """A sphere in the frame of the engine's `body`, or in the world if it is None."""

    center: Vec3
    """m"""
    radius: float
    """m"""
    body: _engine.Body | None = None


def balls_of(physics: PhysicsWorld) -> dict[SolidPlan, list[Ball]]:
    """Return the bounding spheres of the shapes in each solid, without those of the solids below it."""
    balls: dict[SolidPlan, list[Ball]] = {}
    for shape in shapes_of(physics):
        geometry = node_in(shape.node, "geometry")
        if shape.solid is None or geometry is None:
            continue
        ball = _ball(physics.world, geometry, shape.place.scale)
        if ball is not None:
            frame = Pose(shape.place.position, shape.place.orientation)
            place = frame.point(ball.center)
            balls.setdefault(shape.solid, []).append(Ball(place, ball.radius, shape.body))
    return balls


def bounding_radius(world: World, geometry: Node) -> float:
    """Return the radius of the bounding sphere of a geometry without its scale (m); 0 if there is none."""
    ball = _ball(world, geometry, (1.0, 1.0, 1.0))
    return ball.radius if ball is not None else 0.0


def joined(balls: list[tuple[NDArray[np.float64], float]]) -> tuple[NDArray[np.float64], float]:
    """Return a sphere (center, radius) around spheres, which are added one after the other."""
    center, radius = balls[0]
    for other, size in balls[1:]:
        way = other - center
        distance = float(np.linalg.norm(way))
        if distance + size <= radius:
            continue
        if distance + radius <= size:
            center, radius = other, size
            continue
        wider = (radius + size + distance) / 2
        center = center + way * ((wider - radius) / distance)
        radius = wider
    return center, radius


def _ball(world: World, node: Node, scale: Vec3) -> Ball | None:
    kind, (sx, sy, sz) = node.type, (abs(factor) for factor in scale)
    along, beside = (sy, sz) if up_of(node) == "y" else (sz, sy)
    if kind == "Sphere":
        return Ball((0.0, 0.0, 0.0), number(node, "radius") * max(sx, sy, sz))
    if kind == "Box":
        x, y, z = node.get("size")
        return Ball((0.0, 0.0, 0.0), hypot(x * sx, y * sy, z * sz) / 2)
    if kind == "Plane":
        x, y = node.get("size")
        return Ball((0.0, 0.0, 0.0), hypot(x * sx, y * beside) / 2)
    if kind in ("Cylinder", "Capsule", "Cone"):
        radius = number(node, "bottomRadius" if kind == "Cone" else "radius")
        half = number(node, "height") * along / 2
        round_end = half + radius * max(sx, sy, sz)
        is_capsule = kind == "Capsule"
        return Ball((0.0, 0.0, 0.0), round_end if is_capsule else hypot(half, radius * max(sx, beside)))
    return _around_mesh(world, node, scale)


_POLYGONS = {
    "ElevationGrid": lambda world, node, scale: grid_polygons(node, scale),
    "IndexedFaceSet": lambda world, node, scale: face_polygons(node, scale),
    "Mesh": file_polygons,
}


def _around_mesh(world: World, node: Node, scale: Vec3) -> Ball | None:
    make = _POLYGONS.get(node.type)
    if make is None:
        return None
    try:
        points = make(world, node, scale).points
    except (MeshError, ValueError):
        return None  # reported by those who draw it
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    x, y, z = middle.tolist()
    return Ball((x, y, z), float(np.linalg.norm(points - middle, axis=1).max()))
