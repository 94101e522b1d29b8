"""The visual shapes of a world: every drawn Shape, its carrier and its pose."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import NamedTuple

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.mount import engine_frame
from wbridge.wbcore.physics.plan import SolidPlan
from wbridge.wbcore.physics.pose import IDENTITY, Pose
from wbridge.wbcore.physics.tree import is_frame, nodes_in, pose_of
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.visual.belts import Ride, pieces_of, ride_of
from wbridge.wbcore.visual.cad_parts import parts_of
from wbridge.wbcore.visual.helices import HELICES, HelixTurn, speeds_of, turn_of
from wbridge.wbcore.visual.muscles import muscles_of
from wbridge.wbcore.visual.skins import skin_of
from wbridge.wbcore.visual.viewpoint import fixed_place

LISTS = ("children", "endPoint", "rotatingHead", *HELICES)
"""Fields that may contain shapes; bounding objects are not drawn."""
ALWAYS = (-inf, inf)
DEPTH = 256


class PlacedShape(NamedTuple):
    """A Shape, or a part of a CadShape: `place` (with scale) is relative to the engine's `body`, or to the
    world if it is static.

    `solid` is the solid that contains it, if any, and `rider` the part of a belt or the helix of a propeller.
    """

    node: Node
    body: _engine.Body | None
    place: Pose
    solid: SolidPlan | None = None
    rider: Rider | None = None


class Rider(NamedTuple):
    """Something that a Track or a Propeller carries: its carrier's place, the way in the carrier, and the
    place of a shape on it."""

    carrier: Node
    before: Pose
    ride: Ride
    within: Pose = IDENTITY
    speeds: tuple[float, float] = ALWAYS
    """The speed of the carrier (m/s or rad/s) above which it is seen, and the last one at which it is."""

    def place(self, physics: PhysicsWorld) -> Pose:
        """Return the place as the carrier is now."""
        return self.place_after(travel_of(physics, self.carrier))

    def place_after(self, travel: float) -> Pose:
        """Return the place after a travel of the carrier (m or rad)."""
        return self.before @ self.ride.place(travel) @ self.within

    def is_seen(self, physics: PhysicsWorld) -> bool:
        """Return whether it is seen at the current speed of the carrier."""
        least, most = self.speeds
        return self.speeds == ALWAYS or least < _speed_of(physics, self.carrier) <= most


def travel_of(physics: PhysicsWorld, carrier: Node) -> float:
    """Return how far the belt of a Track has run (m), or a propeller has turned (rad)."""
    belt = physics.handles.tracks.get(carrier)
    if belt is not None:
        return float(belt.position)
    propeller = physics.handles.propellers.get(carrier)
    return 0.0 if propeller is None else float(propeller.motor.position)


def _speed_of(physics: PhysicsWorld, carrier: Node) -> float:
    """Return how fast a propeller turns, without sign (rad/s)."""
    propeller = physics.handles.propellers.get(carrier)
    return 0.0 if propeller is None else abs(propeller.motor.current_velocity)


def shapes_of(physics: PhysicsWorld) -> Iterator[PlacedShape]:
    """Iterate over all drawn shapes, in the order of the tree.

    What is in a Billboard stands at the Viewpoint, as in Webots (WbBillboard.cpp).
    """
    for node in physics.world.nodes:
        yield from _below(physics, node, PlacedShape(node, None, IDENTITY), 0)


def _below(physics: PhysicsWorld, node: Node, above: PlacedShape, depth: int) -> Iterator[PlacedShape]:
    root = node.root
    _, body, place, owner, rider = above
    if root.is_a("Shape"):
        yield above._replace(node=root)
        return
    if root.type == "CadShape":
        for part in parts_of(physics.world, root):
            yield above._replace(node=part)
        return
    if root.type == "Skin":
        yield from _of_skin(physics, root, above)
        return
    if depth > DEPTH:
        return
    if root.type == "Billboard":
        viewpoint = physics.world.first("Viewpoint")
        body, place = None, IDENTITY if viewpoint is None else fixed_place(viewpoint)
        rider = None
    solid = physics.handles.solids.get(root)
    if solid is not None:
        offset = Pose(solid.offset.position, solid.offset.orientation, solid.pose.scale)
        body, place = engine_frame(physics, solid.body, offset)
        owner, rider = solid, _on_helix(above, body, place)
        place = place if rider is None else rider.place(physics)
    elif is_frame(root):
        inner = pose_of(root)
        place = place @ inner
        rider = rider and rider._replace(within=rider.within @ inner)
    elif root.is_a("TrackWheel") and above.node.is_a("Track"):
        rider = Rider(above.node, place, ride_of(above.node, root))
        place = rider.place(physics)
    here = PlacedShape(root, body, place, owner, rider)
    for name in LISTS:
        for child in nodes_in(root, name):
            there = here if name not in HELICES else _at_helix(physics, above, root, name)
            yield from _below(physics, child, there, depth + 1)
    if root.is_a("Track"):
        yield from _pieces(physics, here, depth)
    for muscle in muscles_of(physics, root):
        yield here._replace(node=muscle.shape)


def _at_helix(physics: PhysicsWorld, above: PlacedShape, propeller: Node, name: str) -> PlacedShape:
    """Return the place of what is in a helix of a propeller."""
    turn, speeds = turn_of(propeller, above.place), speeds_of(propeller, name)
    rider = Rider(propeller, IDENTITY, turn, above.place, speeds)
    return above._replace(node=propeller, place=rider.place(physics), rider=rider)


def _on_helix(above: PlacedShape, body: _engine.Body | None, place: Pose) -> Rider | None:
    """Return what carries a solid at a place in a body: the helix that it is in, or nothing."""
    rider = above.rider
    if rider is None or not isinstance(rider.ride, HelixTurn):
        return None
    is_same = body is above.body or (body is not None and above.body is not None and body == above.body)
    return rider._replace(within=place) if is_same else None


def _pieces(physics: PhysicsWorld, track: PlacedShape, depth: int) -> Iterator[PlacedShape]:
    """Iterate over the shapes that move along the belt of a Track."""
    for ride in pieces_of(physics.world, track.node):
        rider = Rider(track.node, track.place, ride)
        piece = track._replace(place=rider.place(physics), rider=rider)
        for child in nodes_in(track.node, "animatedGeometry"):
            yield from _below(physics, child, piece, depth + 1)


def _of_skin(physics: PhysicsWorld, node: Node, above: PlacedShape) -> Iterator[PlacedShape]:
    skin = skin_of(physics, node)
    if skin is not None:
        body, place = (None, IDENTITY) if skin.is_in_world else (above.body, above.place @ pose_of(node))
        for shape in skin.shapes:
            yield PlacedShape(shape, body, place, above.solid)


def shapes_at(
    physics: PhysicsWorld, node: Node, body: _engine.Body | None, place: Pose
) -> Iterator[PlacedShape]:
    """Iterate over the drawn shapes of a node whose parent is at a place in a body."""
    yield from _below(physics, node, PlacedShape(node, body, place), 0)


def shapes_below(world: World, node: Node) -> Iterator[Node]:
    """Iterate over the drawn shapes of a node, itself included."""
    root = node.root
    if root.type == "CadShape":
        yield from parts_of(world, root)
        return
    if root.is_a("Shape"):
        yield root
        return
    for name in (*LISTS, "animatedGeometry"):
        for child in nodes_in(root, name):
            yield from shapes_below(world, child)
