"""The visual shapes of a world: every Shape that is drawn, what carries it, and its place there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wbcore.engine import _engine
from wbcore.physics.mount import engine_frame
from wbcore.physics.pose import IDENTITY, Pose
from wbcore.physics.tree import is_frame, nodes_in, pose_of
from wbcore.physics.world import PhysicsWorld
from wbcore.scene.node import Node

__all__ = ["PlacedShape", "shapes_of"]

LISTS = ("children", "endPoint")
"""Fields in which shapes may stand; bounding objects are not drawn."""
DEPTH = 256


class PlacedShape(NamedTuple):
    """A Shape: `place` (with scale) in the engine's `body`, or in the world when it stands."""

    node: Node
    body: _engine.Body | None
    place: Pose


def shapes_of(physics: PhysicsWorld) -> Iterator[PlacedShape]:
    """All shapes that are drawn, in the order of the tree."""
    for node in physics.world.nodes:
        yield from _below(physics, node, None, IDENTITY, 0)


def _below(
    physics: PhysicsWorld, node: Node, body: _engine.Body | None, place: Pose, depth: int
) -> Iterator[PlacedShape]:
    root = node.root
    if root.is_a("Shape"):
        yield PlacedShape(root, body, place)
        return
    if depth > DEPTH:
        return
    solid = physics.handles.solids.get(root)
    if solid is not None:
        offset = Pose(solid.offset.position, solid.offset.orientation, solid.pose.scale)
        body, place = engine_frame(physics, solid.body, offset)
    elif is_frame(root):
        place = place @ pose_of(root)
    for name in LISTS:
        for one in nodes_in(root, name):
            yield from _below(physics, one, body, place, depth + 1)
