"""What the belt of a Track carries along: its TrackWheels and the copies of its animatedGeometry.

Source: manual, chapters Track and TrackWheel; WbTrack.cpp, WbTrackWheel.cpp. A belt runs clockwise, seen from
the side where x points right and the upper side of the belt is up; wheels with `inner` lie inside it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple, Protocol

from wbridge.wbcore.physics.pose import Pose, axis_angle
from wbridge.wbcore.physics.tree import node_in, nodes_in, up_of
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.visual.warnings import warn

__all__ = ["Ride", "pieces_of", "ride_of"]

MOST_PIECES = 1000
TINY_M = 1e-7
TINY_ANGLE = 1e-9

Point = tuple[float, float]


class Ride(Protocol):
    """The way of something that a belt carries along."""

    def place(self, travel: float) -> Pose:
        """Return its pose in the Track after a travel of the belt (m)."""


class WheelRide(NamedTuple):
    """A wheel turns about its z axis by `turn` for each meter of travel (rad/m)."""

    start: Pose
    turn: float

    def place(self, travel: float) -> Pose:
        """Return its pose in the Track after a travel of the belt (m)."""
        return self.start @ Pose(orientation=axis_angle((0.0, 0.0, 1.0), self.turn * travel))


class Circle(NamedTuple):
    """A wheel in the plane of the belt; `side` is 1 inside the belt, -1 outside."""

    center: Point
    radius: float
    side: float


class Segment(NamedTuple):
    """A part of the belt: a straight line, or an arc with a curvature (1/m; positive to the right)."""

    start: Point
    angle: float
    length: float
    curvature: float = 0.0

    def at(self, way: float) -> tuple[Point, float]:
        """Return the point after a part of the way, and the angle of the direction of travel (rad)."""
        x, y = self.start
        if not self.curvature:
            return (x + way * math.cos(self.angle), y + way * math.sin(self.angle)), self.angle
        after = self.angle - way * self.curvature
        x += (math.sin(self.angle) - math.sin(after)) / self.curvature
        y -= (math.cos(self.angle) - math.cos(after)) / self.curvature
        return (x, y), after


class BeltPath:
    """The closed line of a belt around its wheels, from the first point after the first wheel."""

    def __init__(self, circles: list[Circle], up: str) -> None:
        """
        Args:
            circles: the wheels, at least one, in the order in which the belt meets them.
            up: the axis of the Track that is the second one of the belt's plane: "y" or "z".
        """
        self._up = up
        self._segments = _segments(_apart(circles))
        self.length = sum(segment.length for segment in self._segments)

    def pose(self, way: float) -> Pose:
        """Return the pose in the Track of a piece of the belt: x along the belt, and up outward."""
        way %= self.length
        for segment in self._segments:
            if way <= segment.length:
                break
            way -= segment.length
        (x, y), angle = segment.at(min(way, segment.length))
        if self._up == "y":
            return Pose((x, y, 0.0), axis_angle((0.0, 0.0, 1.0), angle))
        return Pose((x, 0.0, y), axis_angle((0.0, 1.0, 0.0), -angle))


class PieceRide(NamedTuple):
    """A copy of the animated geometry runs along the belt."""

    path: BeltPath
    start: float

    def place(self, travel: float) -> Pose:
        """Return its pose in the Track after a travel of the belt (m)."""
        return self.path.pose(self.start + travel)


def ride_of(track: Node, wheel: Node) -> WheelRide:
    """Return the way of a TrackWheel in a Track."""
    x, y = wheel.get("position")
    radius, side = _size(wheel)
    turn = -side / radius
    if up_of(track) == "y":
        return WheelRide(Pose((x, y, 0.0)), turn)
    *axis, angle = wheel.get("rotation")
    return WheelRide(Pose((x, 0.0, y), axis_angle((axis[0], axis[1], axis[2]), angle)), turn)


def pieces_of(world: World, track: Node) -> Iterator[PieceRide]:
    """Iterate over the ways of the copies of a Track's animatedGeometry."""
    count = int(track.get("geometriesCount"))
    wheels = [node.root for node in nodes_in(track, "children") if node.root.is_a("TrackWheel")]
    if node_in(track, "animatedGeometry") is None or count < 1 or not wheels:
        return
    if count > MOST_PIECES:
        warn(world, track, f"geometriesCount is {count}; {MOST_PIECES} are shown")
        count = MOST_PIECES
    path = BeltPath([Circle(tuple(wheel.get("position")), *_size(wheel)) for wheel in wheels], up_of(track))
    for number in range(count):
        yield PieceRide(path, number * path.length / count)


def _size(wheel: Node) -> tuple[float, float]:
    """Return radius (m) and side of a wheel; the default replaces a radius that is not positive."""
    radius = float(wheel.get("radius"))
    return radius if radius > 0 else 0.1, 1.0 if wheel.get("inner") else -1.0


def _apart(circles: list[Circle]) -> list[Circle]:
    """Leave out wheels at the place of the one before."""
    kept = circles[:1]
    for circle in circles[1:]:
        if math.dist(circle.center, kept[-1].center) > TINY_M:
            kept.append(circle)
    if len(kept) > 1 and math.dist(kept[0].center, kept[-1].center) <= TINY_M:
        kept.pop()
    return kept


def _segments(circles: list[Circle]) -> list[Segment]:
    if len(circles) == 1:
        (x, y), radius, _ = circles[0]
        return [Segment((x, y + radius), 0.0, 2 * math.pi * radius, 1 / radius)]
    straight = [_tangent(circle, other) for circle, other in pairwise([*circles, circles[0]])]
    lines = []
    for before, circle, after in zip(
        straight, [*circles[1:], circles[0]], [*straight[1:], straight[0]], strict=True
    ):
        lines += [before, _arc(before, circle, after)]
    return lines


def _tangent(circle: Circle, other: Circle) -> Segment:
    """Return the straight line of a belt that leaves a wheel and meets another one."""
    dx, dy = other.center[0] - circle.center[0], other.center[1] - circle.center[1]
    distance = math.hypot(dx, dy)
    lean = (circle.side * circle.radius - other.side * other.radius) / distance
    angle = math.atan2(dy, dx) + math.acos(min(1.0, max(-1.0, lean))) - math.pi / 2
    start, end = (
        (x - side * radius * math.sin(angle), y + side * radius * math.cos(angle))
        for (x, y), radius, side in (circle, other)
    )
    return Segment(start, angle, math.dist(start, end))


def _arc(before: Segment, circle: Circle, after: Segment) -> Segment:
    """Return the part of a belt that lies on a wheel."""
    turn = math.remainder(circle.side * (before.angle - after.angle), 2 * math.pi)
    turn = turn + 2 * math.pi if turn < -TINY_ANGLE else max(turn, 0.0)
    start, _ = before.at(before.length)
    return Segment(start, before.angle, turn * circle.radius, circle.side / circle.radius)
