"""The world seen from above: outlines of solids and poses of robots, as plain lists.

In the drawing, x points right; y of a world with z up (ENU), or -z of one with y up (NUE), points up. Lengths
are in m, angles in rad, counter-clockwise in the drawing.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from math import atan2, cos, hypot, pi, sin
from typing import TYPE_CHECKING, Any

from wbridge.wbcore.physics.plan import BodyPlan, SolidPlan
from wbridge.wbcore.physics.pose import Pose, Quat, Vec3, rotate
from wbridge.wbcore.physics.settings import directions
from wbridge.wbcore.visual.shapes import PlacedShape, shapes_of
from wbridge.wbcore.windows.hulls import Point, corners_of, hull
from wbridge.wbcore.windows.painting import Painter

if TYPE_CHECKING:
    from wbridge.wbcore.robots.robot import Robot
    from wbridge.wbcore.simulation import Simulation

Place = list[float]
"""x, y, and the direction of the front."""

MOST_BODIES = 400
MOST_SHAPES = 2000
"""Maximum number of painted shapes."""
STEEP = 0.3
"""Minimum projected length of a unit axis to define a direction."""
LEVEL = 0.5
"""The same for a sensor ray worth drawing."""
DIGITS = 4


class Outlines:
    """Draws one simulation, as long as no solid is added or removed."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._is_y_up = directions(simulation.world.coordinate_system)[1][1] != 0
        bodies = [body for part in simulation.physics.plan.parts for body in part.bodies]
        loose = [body for body in bodies if not _is_of_robot(body)]
        self._moving = [body for body in loose if body.is_dynamic][:MOST_BODIES]
        self._solids = list(simulation.physics.solids())

    def shape(self) -> dict[str, Any]:
        """Return what does not change, painted (see `Painter`): static objects in the world; moving solids
        and robots, each in its own frame. Each list is ordered from the lowest to the highest."""
        up = (0.0, 1.0, 0.0) if self._is_y_up else (0.0, 0.0, 1.0)
        painter = Painter(self._simulation.world, self._flat, up)
        robots = {robot.node: _Heap(self._place_of(robot)) for robot in self._simulation.robots}
        moving = {body: _Heap(self._place_of_body(body)) for body in self._moving}
        standing = _Heap()
        for shape in islice(shapes_of(self._simulation.physics), MOST_SHAPES):
            solid = shape.solid
            heap = standing
            if solid is not None and solid.robot is not None:
                heap = robots.get(solid.robot.node, standing)
            elif solid is not None:
                heap = moving.get(solid.body, standing)
            heap.add(painter.paint(shape.node, _pose_of(shape)))
        for robot in self._simulation.robots:
            self._add_unseen(
                robots[robot.node], [s for s in self._solids if s.robot and s.robot.node is robot.node]
            )
        for body, heap in moving.items():
            self._add_unseen(heap, body.solids)
        return {
            "up": "y" if self._is_y_up else "z",
            "standing": standing.drawn(),
            "moving": [heap.drawn() for heap in moving.values()],
            "robots": [heap.drawn() for heap in robots.values()],
            "pictures": painter.pictures,
        }

    def _add_unseen(self, heap: _Heap, solids: Iterable[SolidPlan]) -> None:
        """Draw solids without visual shapes by their bounding objects."""
        if not heap.painted:
            for hull in self._hulls(solids):
                heap.add((0.0, {"parts": [hull], "alpha": 1.0}))

    def robot_shape(self, robot: Robot) -> dict[str, Any]:
        """Return a robot's outline around its origin, front to the right, and the rays of its distance
        sensors, except those toward the ground or the ceiling."""
        place = self._place_of(robot)
        solids = [
            solid for solid in self._solids if solid.robot is not None and solid.robot.node is robot.node
        ]
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
        """Return the current poses of robots and moving solids."""
        return {
            "robots": [self._place_of(robot) for robot in self._simulation.robots],
            "moving": [self._place_of_body(body) for body in self._moving],
        }

    # Projection to the plane.

    def _flat(self, point: Vec3) -> Point:
        return (point[0], -point[2]) if self._is_y_up else (point[0], point[1])

    def _place(self, pose: Pose) -> Place:
        x, y = self._flat(pose.position)
        return [round(x, DIGITS), round(y, DIGITS), round(self._heading(pose.orientation), DIGITS)]

    def _place_of(self, robot: Robot) -> Place:
        return self._place(self._simulation.physics.pose(robot.node))

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
        """Return outlines in the world, one for each geometry."""
        found = []
        for solid in solids:
            pose = self._simulation.physics.solid_pose(solid).rigid
            for geometry in solid.geometries:
                points = [
                    self._flat((pose @ geometry.offset).point(corner)) for corner in corners_of(geometry)
                ]
                if len(points) > 2:
                    found.append([(round(x, DIGITS), round(y, DIGITS)) for x, y in hull(points)])
        return found

    def _relative(self, solids: Iterable[SolidPlan], place: Place) -> list[list[Point]]:
        return [[_into(place, point) for point in hull] for hull in self._hulls(solids)]


def _is_of_robot(body: BodyPlan) -> bool:
    return body.root.robot is not None


def _pose_of(shape: PlacedShape) -> Pose:
    """Return the pose of a shape in the world, with scale."""
    if shape.body is None:
        return shape.place
    return Pose(shape.body.position, shape.body.orientation) @ shape.place


class _Heap:
    """Painted shapes that move together, from the lowest to the highest."""

    def __init__(self, place: Place | None = None) -> None:
        self._place = place
        self.painted: list[tuple[float, dict[str, Any]]] = []

    def add(self, painted: tuple[float, dict[str, object]] | None) -> None:
        """Add a painted shape; ignore None, which is invisible."""
        if painted is not None:
            self.painted.append(painted)

    def drawn(self) -> list[dict[str, Any]]:
        """Return all shapes relative to their common frame."""
        return [self._moved(entry) for _, entry in sorted(self.painted, key=lambda pair: pair[0])]

    def _moved(self, painted: dict[str, Any]) -> dict[str, Any]:
        place = self._place
        if place is None:
            return painted
        parts = [[_into(place, point) for point in part] for part in painted["parts"]]
        moved = {**painted, "parts": parts}
        if "picture" in painted:
            picture, a, b, c, d, e, f = painted["picture"]
            turn = [0.0, 0.0, place[2]]
            turned = (_into(turn, (a, b)), _into(turn, (c, d)), _into(place, (e, f)))
            moved["picture"] = [picture, *(number for pair in turned for number in pair)]
        return moved


def _into(place: Place, point: Point) -> Point:
    """Transform a point of the world to a frame."""
    x, y, c, s = point[0] - place[0], point[1] - place[1], cos(place[2]), sin(place[2])
    return (round(x * c + y * s, DIGITS), round(y * c - x * s, DIGITS))
