"""Which shapes a change of the tree affects: their surfaces, their geometries, or the whole scene."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from wbridge.wbcore.physics.tree import node_in
from wbridge.wbcore.scene.node import Node, walk_used

PLACES = frozenset({"translation", "rotation", "scale"})
REBUILT = frozenset({"Track", "TrackWheel"})
"""Nodes whose fields all decide which shapes there are, and where."""
MUSCLE_SEEN = frozenset({"castShadows", "visible", "volume"})
"""Fields that decide whether a Muscle, and its shadow, are drawn; scenes read the others for each picture."""


class ShapeChanges:
    """Collects changes until a scene applies them.

    The owner calls `watch` for each shape that it shows, and `note` for each change.
    """

    def __init__(self, seen: Collection[str] | None = None) -> None:
        """
        Args:
            seen: the fields of appearances, and of nodes in them, that matter; None: all.
        """
        self._seen = seen
        self.nodes = True
        """Nodes were added, removed or replaced: nothing known about shapes is valid."""
        self.places = True
        """Shapes or frames have moved in the tree, or geometries have changed: build the scene again."""
        self.surfaces: set[Node] = set()
        """Shapes whose appearance has changed."""
        self.geometries: set[Node] = set()
        """Geometries that have changed."""
        self._has_billboard = False
        self._shapes_below: dict[Node, set[Node]] = {}
        self._geometries_of: dict[Node, set[Node]] = {}

    def forget_shapes(self) -> None:
        """Start a new scene: all noted changes are applied, and no shape is watched."""
        self.nodes = self.places = False
        self.surfaces.clear()
        self.geometries.clear()
        self._has_billboard = False
        self._shapes_below.clear()
        self._geometries_of.clear()

    def watch(self, shape: Node) -> None:
        """Note which nodes decide how a shape looks."""
        self._has_billboard |= any(node.type == "Billboard" for node in _above(shape))
        appearance, geometry = node_in(shape, "appearance"), node_in(shape, "geometry")
        if appearance is not None:
            for node in walk_used(appearance):
                self._shapes_below.setdefault(node, set()).add(shape)
        if geometry is not None:
            for node in walk_used(geometry):
                self._geometries_of.setdefault(node, set()).add(geometry)

    def note(self, node: Node | None, name: str) -> bool:
        """Note a change of a field (None: nodes were added, removed or replaced); True if it matters.

        Each field of a CadShape decides on the shapes that are made of its file.
        """
        node = None if node is None else node.definition
        if node is None or node.body is not None or node.type in ("CadShape", "Skin"):
            self.nodes = self.places = True
        elif node in self._shapes_below:
            if self._seen is not None and name not in self._seen:
                return False
            self.surfaces.update(self._shapes_below[node])
        elif node in self._geometries_of:
            self.geometries.update(self._geometries_of[node])
            self.places = True
        elif name in PLACES or self._is_rebuilt(node, name):
            self.places = True
        else:
            return False
        return True

    def _is_rebuilt(self, node: Node, name: str) -> bool:
        """Return whether a field of a node decides which shapes there are, or where."""
        if node.type == "Muscle":
            return name in MUSCLE_SEEN
        if node.type == "Shape":
            return name == "castShadows"
        return node.type in REBUILT or (self._has_billboard and node.type == "Viewpoint")


def _above(node: Node) -> Iterator[Node]:
    above = node.parent
    while above is not None:
        yield above
        above = above.parent
