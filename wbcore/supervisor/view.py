"""The user's view: labels, hidden nodes, and the viewpoint."""

from __future__ import annotations

from math import isfinite
from typing import NamedTuple

from wbridge.wbcore.physics.pose import Vec3, axis_angle, length, rotate, scaled, sub
from wbridge.wbcore.physics.tree import node_path
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.supervisor.command_group import CommandGroup
from wbridge.wbcore.supervisor.dispatcher import Dispatcher
from wbridge.wbcore.supervisor.poses import Poses

__all__ = ["Label", "View"]

MOST_LABELS = 65535
LONGEST_TEXT = 10_000
VIEWERS = ("Camera", "Lidar", "RangeFinder", "Viewpoint")
NEAREST = 1.0
"""Minimum viewing distance (m)."""


class Label(NamedTuple):
    """A text overlay on the 3D view."""

    text: str
    x: float
    """Position of the left edge, from 0 (left) to 1 (right)."""
    y: float
    """Position of the upper edge, from 0 (top) to 1 (bottom)."""
    size: float
    """Text height as a fraction of the view's height."""
    color: int
    """0xTTRRGGBB with the transparency from 0 to 255."""
    font: str


LabelState = tuple[str, float, float, float, int, str]
"""A label as a plain value."""


class View(CommandGroup):
    """Labels and hidden nodes of one supervisor."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        super().__init__(dispatcher)
        self.labels: dict[int, Label] = {}

    def on_set_label(
        self, number: int, x: float, y: float, size: float, color: int, text: str, font: str
    ) -> None:
        """Show a label, replacing one with the same number; an empty text removes it."""
        if not all(isfinite(number) for number in (x, y, size)):
            raise ValueError(f"x {x}, y {y} and size {size} of label {number} must be finite")
        if text and number < MOST_LABELS:
            self.labels[number] = Label(text[:LONGEST_TEXT], x, y, size, color, font[:LONGEST_TEXT])
        else:
            self.labels.pop(number, None)

    def on_set_visibility(self, number: int, viewer: int, visible: bool) -> None:
        """Hide a node from a camera, lidar, range finder or viewpoint, or show it again."""
        node, seen_by = self.node(number), self.node(viewer)
        if not any(seen_by.is_a(kind) for kind in VIEWERS):
            raise ValueError(f"{node_path(seen_by)} is not a viewer; allowed: {', '.join(VIEWERS)}")
        hidden = self.simulation.hidden
        (hidden.show if visible else hidden.hide)(seen_by, node)

    def on_move_viewpoint(self, number: int) -> None:
        """Move the viewpoint to look at a node, keeping direction and distance."""
        node, world = self.node(number), self.simulation.world
        viewpoint = world.first("Viewpoint")
        poses = self.dispatcher.groups["poses"]
        assert isinstance(poses, Poses)
        if viewpoint is None or not node.is_a("Pose"):
            raise ValueError(f"the viewpoint cannot be moved to {node_path(node)}: it has no pose")
        target, eye = poses.place(node).position, viewpoint.get("position")
        distance = max(length(sub(target, eye)), NEAREST)
        self.simulation.set_field(viewpoint, "position", sub(target, scaled(_ahead(viewpoint), distance)))

    def connect(self) -> None:
        """Remove the former controller's labels."""
        self.labels.clear()

    def save(self) -> dict[int, LabelState]:
        """Return the labels."""
        return {number: label[:] for number, label in self.labels.items()}

    def load(self, state: dict[int, LabelState]) -> None:
        """See `save`."""
        self.labels.clear()
        self.labels |= {number: Label(*label) for number, label in state.items()}

    def reset(self) -> None:
        """Remove labels and show all nodes."""
        self.labels.clear()
        self.simulation.hidden.clear()

    def leave(self) -> None:
        """Remove the labels of a removed robot."""
        self.labels.clear()

    def node_gone(self, node: Node, number: int) -> None:
        """Forget removed nodes."""
        self.simulation.hidden.forget(node)


def _ahead(viewpoint: Node) -> Vec3:
    """Return the viewing direction: along x since R2022a, against z before."""
    newer = viewpoint.source is None or viewpoint.source.dialect.z_up
    x, y, z, angle = viewpoint.get("orientation")
    return rotate(axis_angle((x, y, z), angle), (1.0, 0.0, 0.0) if newer else (0.0, 0.0, -1.0))
