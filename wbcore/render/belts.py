"""Textures of tracks that move with their belts.

Source: manual, chapter Track; WbTrack.cpp: the first child is a Shape, or a Group whose first child is one,
with a TextureTransform, whose translation grows with the travel of the belt.
"""

from __future__ import annotations

from typing import NamedTuple

from wbridge.wbcore.physics.tree import node_in
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.scene.node import Node

DEPTH = 16


class MovingTexture(NamedTuple):
    """The appearance of a shape whose texture moves by `step` for each meter of the track's travel."""

    track: Node
    shape: Node
    appearance: Node
    step: tuple[float, float]


def moving_textures(physics: PhysicsWorld) -> list[MovingTexture]:
    """Return all textures that move."""
    found = []
    for part in physics.plan.parts:
        for track in part.tracks:
            node = track.node
            step = node.get("textureAnimation") if "textureAnimation" in node.spec.fields else (0.0, 0.0)
            shape = _first_shape(node) if any(step) else None
            appearance = None if shape is None else node_in(shape, "appearance")
            if shape is not None and appearance is not None and node_in(appearance, "textureTransform"):
                found.append(MovingTexture(node, shape, appearance, step))
    return found


def _first_shape(node: Node) -> Node | None:
    """Return the first child, or the first child of the first child, and so on, that is a Shape."""
    for _ in range(DEPTH):
        child = node_in(node, "children")
        if child is None or child.is_a("Shape"):
            return child
        node = child
    return None
