"""Which nodes of the tree a part of the physics was made from."""

from __future__ import annotations

from collections.abc import Iterator

from wbcore.scene.node import Node

from .plan import Part, WorldPlan
from .tree import nodes_in

__all__ = ["nodes_of", "parts_that_use"]


def parts_that_use(plan: WorldPlan, node: Node) -> list[Part]:
    """The parts with a bounding object, physics or the like that a node stands in, also by USE.

    Only what has a DEF name can be used elsewhere, so that most nodes need no search.
    """
    named: set[Node] = set()
    one: Node | None = node
    while one is not None and not one.root.is_a("Solid"):
        if one.def_name:
            named.add(one.root)
        one = one.parent
    if not named:
        return []
    return [part for part in plan.parts if not named.isdisjoint(nodes_of(part))]


def nodes_of(part: Part) -> Iterator[Node]:
    """All nodes that a part's plan was made from, with the groups between them."""
    holders = [*(one.node for one in part.solids), *(one.node for one in part.fluids)]
    for holder in holders:
        yield holder
        for name in ("boundingObject", "physics", "immersionProperties"):
            for one in nodes_in(holder, name):
                yield from _all_below(one)
    for joint in part.joints:
        yield joint.node
        yield from (one for one in (axis.parameters for axis in joint.axes) if one is not None)
    yield from (one.node for one in part.propellers)
    yield from (one.node for one in part.tracks)
    for motor in part.motors():
        yield motor.node


def _all_below(node: Node) -> Iterator[Node]:
    """A node and all in it, also in what it uses elsewhere."""
    root = node.root
    yield root
    for one in root.child_nodes():
        yield from _all_below(one)
