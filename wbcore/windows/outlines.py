"""The world seen from above: outlines of solids, and places of robots, in plain lists.

The drawing has x to the right, and upwards y of a world with z up (ENU), -z of one with y up (NUE). Lengths
in m, angles in rad, counter-clockwise in the drawing.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import atan2, cos, hypot, pi, sin
from typing import TYPE_CHECKING, Any

from wbcore.physics.plan import BodyPlan, Geometry, SolidPlan
from wbcore.physics.pose import Pose, Quat, Vec3, rotate
from wbcore.physics.settings import directions

if TYPE_CHECKING:
    from wbcore.robots.robot import Robot
    from wbcore.simulation import Simulation

__all__ = ["Outlines"]

Point = tuple[float, float]
Place = list[float]
"""x, y, and the direction in which the front points."""

MOST_BODIES = 400
CORNERS = 16
"""Of a circle."""
MOST_POINTS = 400
"""Of a mesh."""
STEEP = 0.3
"""How long the shadow of an axis of length 1 must be to tell a direction."""
LEVEL = 0.5
"""The same for a ray that is worth drawing."""
DIGITS = 4


class Outlines:
    """Draws one simulation, as long as no solid comes or goes."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        info = simulation.world.first("WorldInfo")
        system = str(info.get("coordinateSystem")) if info is not None else "ENU"
        self._is_y_up = directions(system)[1][1] != 0
        bodies = [body for part in simulation.physics.plan.parts for body in part.bodies]
        loose = [one for one in bodies if not _is_of_robot(one)]
        self._moving = [one for one in loose if one.is_dynamic][:MOST_BODIES]
        self._solids = list(simulation.physics.solids())

    def shape(self) -> dict[str, Any]:
        """What does not change: outlines of all that stands, and of what moves, at home in its own place."""
        standing = [one for one in self._solids if one.robot is None and one.body not in self._moving]
        return {
            "up": "y" if self._is_y_up else "z",
            "standing": [one for solid in standing[: 4 * MOST_BODIES] for one in self._hulls([solid])],
            "moving": [self._relative(one.solids, self._place_of_body(one)) for one in self._moving],
            "robots": [self.robot_shape(one)["outline"] for one in self._simulation.robots],
        }

    def robot_shape(self, robot: Robot) -> dict[str, Any]:
        """A robot's outline around its origin, front to the right, and where its distance sensors look; those
        that look at the ground or at the ceiling are left out."""
        place = self._place(self._simulation.physics.pose(robot.node))
        solids = [one for one in self._solids if one.robot is not None and one.robot.node is robot.node]
        rays = {}
        for device in robot.devices:
            if device.entry.type != "DistanceSensor":
                continue
            pose = self._simulation.physics.pose(device.node)
            if hypot(*self._flat(rotate(pose.orientation, (1.0, 0.0, 0.0)))) >= LEVEL:
                at = self._place(pose)
                rays[str(device.tag)] = [*_into(place, (at[0], at[1])), at[2] - place[2]]
        return {"outline": self._relative(solids, place), "rays": rays}

    def places(self) -> dict[str, list[Place]]:
        """Where robots and moving solids are now."""
        physics = self._simulation.physics
        return {
            "robots": [self._place(physics.pose(one.node)) for one in self._simulation.robots],
            "moving": [self._place_of_body(one) for one in self._moving],
        }

    # From space to the plane.

    def _flat(self, point: Vec3) -> Point:
        return (point[0], -point[2]) if self._is_y_up else (point[0], point[1])

    def _place(self, pose: Pose) -> Place:
        x, y = self._flat(pose.position)
        return [round(x, DIGITS), round(y, DIGITS), round(self._heading(pose.orientation), DIGITS)]

    def _place_of_body(self, body: BodyPlan) -> Place:
        return self._place(self._simulation.physics.body_pose(body))

    def _heading(self, orientation: Quat) -> float:
        x, y = self._flat(rotate(orientation, (1.0, 0.0, 0.0)))
        if hypot(x, y) >= STEEP:
            return atan2(y, x)
        left = (0.0, 0.0, -1.0) if self._is_y_up else (0.0, 1.0, 0.0)
        x, y = self._flat(rotate(orientation, left))
        return atan2(y, x) - pi / 2

    def _hulls(self, solids: Iterable[SolidPlan]) -> list[list[Point]]:
        """Outlines in the world, one for each geometry."""
        found = []
        for solid in solids:
            pose = self._simulation.physics.solid_pose(solid).rigid
            for geometry in solid.geometries:
                points = [self._flat(_moved(pose @ geometry.offset, one)) for one in _corners(geometry)]
                if len(points) > 2:
                    found.append([(round(x, DIGITS), round(y, DIGITS)) for x, y in _hull(points)])
        return found

    def _relative(self, solids: Iterable[SolidPlan], place: Place) -> list[list[Point]]:
        return [[_into(place, point) for point in hull] for hull in self._hulls(solids)]


def _is_of_robot(body: BodyPlan) -> bool:
    return body.root.robot is not None


def _moved(pose: Pose, point: Vec3) -> Vec3:
    x, y, z = rotate(pose.orientation, point)
    return (x + pose.position[0], y + pose.position[1], z + pose.position[2])


def _into(place: Place, point: Point) -> Point:
    """A point of the world in the frame of a place."""
    x, y, c, s = point[0] - place[0], point[1] - place[1], cos(place[2]), sin(place[2])
    return (round(x * c + y * s, DIGITS), round(y * c - x * s, DIGITS))


def _corners(geometry: Geometry) -> list[Vec3]:
    """Points whose hull has about the outline of a geometry; none for planes, which have no end."""
    make = _CORNERS.get(geometry.kind)
    return [] if make is None else make(geometry)


def _of_box(geometry: Geometry) -> list[Vec3]:
    x, y, z = (one / 2 for one in geometry.size)
    return [(a, b, c) for a in (-x, x) for b in (-y, y) for c in (-z, z)]


def _circle(radius: float) -> list[Point]:
    return [(radius * cos(2 * pi * i / CORNERS), radius * sin(2 * pi * i / CORNERS)) for i in range(CORNERS)]


def _of_sphere(geometry: Geometry) -> list[Vec3]:
    ring = _circle(geometry.size[0])
    return [*((a, b, 0.0) for a, b in ring), *((a, 0.0, b) for a, b in ring), *((0.0, a, b) for a, b in ring)]


def _of_tube(geometry: Geometry) -> list[Vec3]:
    radius, height = geometry.size
    ends = (-height / 2, height / 2)
    if geometry.up == "y":
        return [(a, end, b) for a, b in _circle(radius) for end in ends]
    return [(a, b, end) for a, b in _circle(radius) for end in ends]


def _of_mesh(geometry: Geometry) -> list[Vec3]:
    if geometry.mesh is None:
        return []
    vertices = geometry.mesh.vertices
    every = max(1, len(vertices) // MOST_POINTS)
    return [(float(x), float(y), float(z)) for x, y, z in vertices[::every]]


def _of_heights(geometry: Geometry) -> list[Vec3]:
    dx, dy, _ = geometry.size
    x, y = dx * (len(geometry.heights[0]) - 1), dy * (len(geometry.heights) - 1)
    return [(0.0, 0.0, 0.0), (x, 0.0, 0.0), (x, y, 0.0), (0.0, y, 0.0)]


_CORNERS = {
    "box": _of_box,
    "sphere": _of_sphere,
    "cylinder": _of_tube,
    "capsule": _of_tube,
    "mesh": _of_mesh,
    "heightfield": _of_heights,
}


def _hull(points: list[Point]) -> list[Point]:
    """The convex hull, counter-clockwise (monotone chains)."""
    ordered = sorted(set(points))
    lower, upper = _chain(ordered), _chain(ordered[::-1])
    return lower[:-1] + upper[:-1]


def _chain(points: list[Point]) -> list[Point]:
    made: list[Point] = []
    for p in points:
        while len(made) > 1 and _turn(made[-2], made[-1], p) <= 0:
            made.pop()
        made.append(p)
    return made


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
