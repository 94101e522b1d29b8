"""Nodes that supervisors hide from single cameras, range finders, lidars and viewpoints."""

from __future__ import annotations

from collections.abc import Iterator

from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.places import instance_of

MOST_VIEWERS = 62
"""The number of viewers that have a bit of their own in the masks of shapes."""


class HiddenNodes:
    """Which viewer does not see which nodes, and masks for those who draw or cast rays."""

    def __init__(self) -> None:
        self._nodes: dict[Node, set[Node]] = {}
        self._bits: dict[Node, int] = {}
        self.version = 0
        """Changes with the masks."""

    def __bool__(self) -> bool:
        """True if a node is hidden."""
        return bool(self._nodes)

    def hide(self, viewer: Node, node: Node) -> None:
        """Hide a node, with all that is in it, from a viewer.

        Raises:
            ValueError: too many viewers have hidden nodes.
        """
        viewer, node = viewer.root, node.root
        if viewer not in self._bits:
            free = next((i for i in range(MOST_VIEWERS) if 1 << i not in self._bits.values()), None)
            if free is None:
                raise ValueError(f"nodes can be hidden from at most {MOST_VIEWERS} viewers")
            self._bits[viewer] = 1 << free
        self._nodes.setdefault(viewer, set()).add(node)
        self.version += 1

    def show(self, viewer: Node, node: Node) -> None:
        """Show a node to a viewer again."""
        viewer = viewer.root
        self._nodes.get(viewer, set()).discard(node.root)
        if not self._nodes.get(viewer):
            self._nodes.pop(viewer, None)
            self._bits.pop(viewer, None)
        self.version += 1

    def forget(self, node: Node) -> None:
        """Forget a node that was removed from the tree."""
        root = node.root
        if root in self._nodes:
            del self._nodes[root], self._bits[root]
            self.version += 1
        for viewer in [key for key, nodes in self._nodes.items() if root in nodes]:
            self.show(viewer, root)

    def clear(self) -> None:
        """Show all nodes to all viewers."""
        self._nodes.clear()
        self._bits.clear()
        self.version += 1

    def bit(self, viewer: Node) -> int:
        """Return the bit of a viewer in the masks; 0 if it sees all nodes."""
        return self._bits.get(viewer.root, 0)

    def mask(self, node: Node) -> int:
        """Return the bits of the viewers that do not see a node or one that it is in."""
        if not self._nodes:
            return 0
        above = set(_line(node))
        return sum(self._bits[viewer] for viewer, nodes in self._nodes.items() if nodes & above)

    def of(self, viewer: Node) -> frozenset[Node]:
        """Return the nodes that a viewer does not see."""
        return frozenset(self._nodes.get(viewer.root, ()))


def _line(node: Node) -> Iterator[Node]:
    above: Node | None = node
    while above is not None:
        yield above.root
        above = instance_of(above).parent
