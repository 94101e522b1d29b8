"""Contact points of solids, and static balance."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wbridge.wbcore.physics.plan import SolidPlan
from wbridge.wbcore.physics.pose import Vec3, cross, dot, unit
from wbridge.wbcore.physics.tree import node_path
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.supervisor.command_group import CommandGroup
from wbridge.wbcore.supervisor.dispatcher import Dispatcher
from wbridge.wbcore.supervisor.poses import center_of_mass, solids_below

Point = tuple[float, float]
ContactPoint = tuple[float, float, float, int]
"""Coordinates (m) and the number of the touching solid."""


class Contacts(CommandGroup):
    """Answers with the current contact points."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        super().__init__(dispatcher)
        self._stamp: tuple[object, ...] = ()
        self._known: dict[SolidPlan, list[Vec3]] = {}

    def on_get_contact_points(self, number: int, descendants: bool) -> None:
        """Send the contact points of a solid, or of all that hang on it, too."""
        self.robot.send("contact_points", *self.points(number, descendants))

    def points(self, number: int, descendants: bool) -> tuple[int, bool, list[ContactPoint]]:
        """Return the message with contact points, each with the number of the touching solid of this tree.

        Raises:
            ValueError: the solid does not exist.
        """
        node = self.solid(number)
        nodes = self.simulation.nodes
        found = [
            (*point, nodes.number(solid.node))
            for solid in self._solids(node, descendants)
            for point in self._points(solid)
        ]
        return number, descendants, found

    def _solids(self, node: Node, descendants: bool) -> list[SolidPlan]:
        solid = self.simulation.physics.solid(node)
        if not descendants:
            return [solid]
        if solid.parent is not None:
            self.robot.warn(
                f"contact points: {node_path(node)} has a Solid above it; only its own contacts are returned"
            )
            return [solid]
        return solids_below(self, node)

    def _points(self, solid: SolidPlan) -> list[Vec3]:
        """Return the contact points of a solid from the last collision pass."""
        physics = self.simulation.physics
        stamp = (physics.engine, physics.engine.steps, physics.structure)
        if stamp != self._stamp:
            self._stamp, self._known = stamp, self._by_solid()
        return self._known.get(solid, [])

    def _by_solid(self) -> dict[SolidPlan, list[Vec3]]:
        physics = self.simulation.physics
        contacts, geoms = physics.engine.contacts(), physics.handles.geoms
        found: dict[SolidPlan, list[Vec3]] = {}
        for (x, y, z), pair in zip(contacts.points.tolist(), contacts.geoms.tolist(), strict=True):
            for geom in pair:
                if geom in geoms:
                    found.setdefault(geoms[geom][0], []).append((x, y, z))
        return found

    def on_get_static_balance(self, number: int) -> None:
        """Send whether the center of mass of a solid is above the area between its contact points."""
        node = self.solid(number)
        physics = self.simulation.physics
        if physics.solid(node).parent is not None:
            raise ValueError(f"{node_path(node)} is not a top-level Solid; use the top-level one")
        center = center_of_mass(self, node)
        points = [point for solid in solids_below(self, node) for point in self._points(solid)]
        up = unit(tuple(-component for component in physics.engine.gravity)) or (0.0, 0.0, 1.0)  # type: ignore[arg-type]
        flat = _flattener(up)
        balanced = center is not None and is_above(flat(center), [flat(point) for point in points])
        self.robot.send("static_balance", balanced)

    def load(self, state: object) -> None:
        """Invalidate the cached contacts."""
        self.reset()

    def reset(self) -> None:
        """Invalidate the cached contacts."""
        self._stamp = ()


def _flattener(up: Vec3) -> Callable[[Vec3], Point]:
    """Return a function that projects points onto a plane perpendicular to `up`."""
    helper: Vec3 = (1.0, 0.0, 0.0) if abs(up[0]) < 0.9 else (0.0, 1.0, 0.0)
    first = unit(cross(up, helper)) or helper
    second = cross(up, first)
    return lambda point: (dot(point, first), dot(point, second))


def is_above(center: Point, points: Sequence[Point]) -> bool:
    """True if a point is inside or on the support polygon of others."""
    polygon = support_polygon(points)
    if len(polygon) < 3:
        return False
    around = zip(polygon, [*polygon[1:], polygon[0]], strict=True)
    return all(_turn(a, b, center) >= 0 for a, b in around)


def support_polygon(points: Sequence[Point]) -> list[Point]:
    """Return the convex hull of points, counterclockwise (Andrew's monotone chain)."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    return _chain(ordered)[:-1] + _chain(ordered[::-1])[:-1]


def _chain(points: Sequence[Point]) -> list[Point]:
    chain: list[Point] = []
    for point in points:
        while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0:
            chain.pop()
        chain.append(point)
    return chain


def _turn(a: Point, b: Point, c: Point) -> float:
    """Return twice the signed area of a triangle; positive if counterclockwise."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
