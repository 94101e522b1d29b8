"""Find the nodes of the tree that a part of the physics was made from."""

from __future__ import annotations

from collections.abc import Iterator

from wbcore.physics.plan import Part, WorldPlan
from wbcore.physics.tree import nodes_in
from wbcore.scene.node import Node, walk_used

__all__ = ["nodes_of", "parts_that_use"]


def parts_that_use(plan: WorldPlan, node: Node) -> list[Part]:
    """Return the parts whose bounding object, physics and so on contain a node, also by USE.

    Only nodes with a DEF name can be used elsewhere, so most nodes need no search.
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
    """Iterate over all nodes that a part's plan was made from, including the groups between them."""
    holders = [*(one.node for one in part.solids), *(one.node for one in part.fluids)]
    for holder in holders:
        yield holder
        for name in ("boundingObject", "physics", "immersionProperties"):
            for one in nodes_in(holder, name):
                yield from walk_used(one)
    for joint in part.joints:
        yield joint.node
        yield from (one for one in (axis.parameters for axis in joint.axes) if one is not None)
    yield from (one.node for one in part.propellers)
    yield from (one.node for one in part.tracks)
    for motor in part.motors():
        yield motor.node
