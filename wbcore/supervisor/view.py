"""The user's view: labels, hidden nodes, and the viewpoint."""

from __future__ import annotations

from math import isfinite
from typing import Any, NamedTuple

from wbcore.physics.pose import Vec3, axis_angle, length, rotate, scaled, sub
from wbcore.physics.tree import node_path
from wbcore.scene.node import Node
from wbcore.supervisor.poses import Poses
from wbcore.supervisor.subject import Subject

__all__ = ["Label", "View"]

MOST_LABELS = 65535
LONGEST_TEXT = 10_000
VIEWERS = ("Camera", "Lidar", "RangeFinder", "Viewpoint")
NEAREST = 1.0
"""The least distance (m) at which a node is looked at."""


class Label(NamedTuple):
    """A text over the 3D view."""

    text: str
    x: float
    """Of its left side, from 0 (left) to 1 (right)."""
    y: float
    """Of its upper side, from 0 (top) to 1 (bottom)."""
    size: float
    """Its height as a part of the view's height."""
    color: int
    """0xTTRRGGBB with the transparency from 0 to 255."""
    font: str


class View(Subject):
    """Labels and hidden nodes of one supervisor."""

    def __init__(self, dispatcher: Any) -> None:
        super().__init__(dispatcher)
        self.labels: dict[int, Label] = {}

    def on_set_label(
        self, number: int, x: float, y: float, size: float, color: int, text: str, font: str
    ) -> None:
        """Show a label in the place of one with the same number; an empty text removes it."""
        if not all(isfinite(one) for one in (x, y, size)):
            raise ValueError(f"x {x}, y {y} and size {size} of label {number} must be finite")
        if text and number < MOST_LABELS:
            self.labels[number] = Label(text[:LONGEST_TEXT], x, y, size, color, font[:LONGEST_TEXT])
        else:
            self.labels.pop(number, None)

    def on_set_visibility(self, number: int, viewer: int, visible: bool) -> None:
        """Hide a node from a camera, lidar, range finder or viewpoint, or show it."""
        node, seen_by = self.node(number), self.node(viewer)
        if not any(seen_by.is_a(one) for one in VIEWERS):
            raise ValueError(f"{node_path(seen_by)} sees nothing; allowed: {', '.join(VIEWERS)}")
        hidden = self.simulation.hidden.setdefault(seen_by.root, set())
        (hidden.discard if visible else hidden.add)(node)

    def on_move_viewpoint(self, number: int) -> None:
        """Look at a node from the present direction and distance."""
        node, world = self.node(number), self.simulation.world
        viewpoint = world.first("Viewpoint")
        poses = self.dispatcher.subjects["poses"]
        assert isinstance(poses, Poses)
        if viewpoint is None or not node.is_a("Pose"):
            raise ValueError(f"{node_path(node)} cannot be looked at")
        target, eye = poses.place(node).position, viewpoint.get("position")
        distance = max(length(sub(target, eye)), NEAREST)
        self.simulation.set_field(viewpoint, "position", sub(target, scaled(_ahead(viewpoint), distance)))

    def connect(self) -> None:
        """A new controller begins without labels."""
        self.labels.clear()

    def save(self) -> Any:
        """The labels."""
        return {number: tuple(one) for number, one in self.labels.items()}

    def load(self, state: Any) -> None:
        """See `save`."""
        self.labels.clear()
        self.labels |= {number: Label(*one) for number, one in state.items()}

    def reset(self) -> None:
        """A reset removes labels and shows all nodes."""
        self.labels.clear()
        self.simulation.hidden.clear()

    def leave(self) -> None:
        """Labels go with their robot."""
        self.labels.clear()

    def node_gone(self, node: Node, number: int) -> None:
        """Forget removed nodes."""
        self.simulation.hidden.pop(node, None)
        for hidden in self.simulation.hidden.values():
            hidden.discard(node)


def _ahead(viewpoint: Node) -> Vec3:
    """Where a viewpoint looks: along x since R2022a, against z before."""
    newer = viewpoint.source is None or viewpoint.source.dialect.z_up
    x, y, z, angle = viewpoint.get("orientation")
    return rotate(axis_angle((x, y, z), angle), (1.0, 0.0, 0.0) if newer else (0.0, 0.0, -1.0))
