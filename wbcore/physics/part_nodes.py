"""Find the nodes of the tree that a part of the physics was made from."""

from __future__ import annotations

from collections.abc import Iterator

from wbridge.wbcore.physics.plan import Part, WorldPlan
from wbridge.wbcore.physics.tree import nodes_in
from wbridge.wbcore.scene.node import Node, walk_used


def parts_that_use(plan: WorldPlan, node: Node) -> list[Part]:
    """Return the parts whose bounding object, physics and so on contain a node, also by USE.

    Only nodes with a DEF name can be used elsewhere, so most nodes need no search.
    """
    named: set[Node] = set()
    above: Node | None = node
    while above is not None and not above.root.is_a("Solid"):
        if above.def_name:
            named.add(above.root)
        above = above.parent
    if not named:
        return []
    return [part for part in plan.parts if not named.isdisjoint(nodes_of(part))]


def nodes_of(part: Part) -> Iterator[Node]:
    """Iterate over all nodes that a part's plan was made from, including the groups between them."""
    holders = [*(solid.node for solid in part.solids), *(fluid.node for fluid in part.fluids)]
    for holder in holders:
        yield holder
        for name in ("boundingObject", "physics", "immersionProperties"):
            for node in nodes_in(holder, name):
                yield from walk_used(node)
    for joint in part.joints:
        yield joint.node
        yield from (
            parameters for parameters in (axis.parameters for axis in joint.axes) if parameters is not None
        )
    yield from (propeller.node for propeller in part.propellers)
    yield from (track.node for track in part.tracks)
    for motor in part.motors():
        yield motor.node
