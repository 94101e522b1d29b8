"""Check a world for physical problems: overlaps at the start, joints that come apart, shapes with more
contact points than are used, objects that fall out of the world."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.joint_builder import ends_of
from wbridge.wbcore.physics.plan import Geometry, JointPlan, SolidPlan
from wbridge.wbcore.physics.pose import IDENTITY, dot, length, sub
from wbridge.wbcore.physics.tree import node_path
from wbridge.wbcore.scene.node import Node

if TYPE_CHECKING:
    from wbridge.wbcore.physics.world import PhysicsWorld

OVERLAP_SHARE = 0.1
"""Share of a geometry's smallest extent that may overlap another one at the start."""
OVERLAP_M = 1e-3
GAP_SHARE = 0.1
"""Allowed gap between the two halves of a joint, as a share of the distance from anchor to center of mass."""
GAP_M = 2e-3
FALL_M = 10.0
"""Distance (m) below the lowest initial solid at which an object has left the world."""
FALL_M_S = 1.0
"""Minimum downward speed (m/s) of a falling object."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A physical problem between two nodes.

    `code`: "interpenetration", "joint-gap" or "falling", with a `value` in m; "contact-limit", with a number
    of points.
    """

    code: str
    node: Node
    other: Node
    value: float
    message: str

    def __str__(self) -> str:
        return self.message


def overlaps(physics: PhysicsWorld) -> list[Finding]:
    """Return pairs of solids that overlap deeply at their current poses, the deepest first."""
    deepest: dict[tuple[int, int], float] = {}
    for first, second, depth in physics.engine.contacts().pairs:
        deepest[first, second] = max(depth, deepest.get((first, second), 0.0))
    found: dict[tuple[Node, Node], Finding] = {}
    for geoms, depth in sorted(deepest.items(), key=lambda item: -item[1]):
        overlap = _overlap(physics, geoms, depth)
        if overlap is not None:
            found.setdefault((overlap.node, overlap.other), overlap)
    return list(found.values())


def overlaps_of_objects(found: Sequence[Finding]) -> list[str]:
    """Return one text per pair of top-level nodes that overlap: the deepest pair of their parts, and how many
    others there are.

    Args:
        found: overlaps, the deepest first.
    """
    parts: dict[tuple[Node, Node], list[Finding]] = {}
    for overlap in found:
        parts.setdefault((_top(overlap.node), _top(overlap.other)), []).append(overlap)
    return [
        str(pairs[0]) if len(pairs) == 1 else f"{pairs[0]} (and {len(pairs) - 1} more of their parts)"
        for pairs in parts.values()
    ]


def _overlap(physics: PhysicsWorld, pair: tuple[int, int], depth: float) -> Finding | None:
    owners = [physics.handles.geoms.get(geom) for geom in pair]
    extents = [_extent(physics.engine.geom(geom), owner) for geom, owner in zip(pair, owners, strict=True)]
    if depth <= max(OVERLAP_M, OVERLAP_SHARE * min(extents)):
        return None
    first, second = (owner[0] if owner is not None else None for owner in owners)
    if first is None or second is None or not (first.body.is_dynamic or second.body.is_dynamic):
        return None
    if not first.body.is_dynamic:
        first, second = second, first
    text = (
        f"{node_path(first.node)} overlaps {node_path(second.node)} by {depth:.4g} m at the start; the "
        "physics will push them apart: move one of them or make its bounding object smaller"
    )
    return Finding("interpenetration", first.node, second.node, depth, text)


def _extent(geom: _engine.Geom, owner: tuple[SolidPlan, Geometry] | None) -> float:
    """Return the smallest extent of a geometry (m); infinite for planes and height fields."""
    if owner is None or owner[1].kind in ("plane", "heightfield"):
        return float("inf")
    kind, size = owner[1].kind, owner[1].size
    if kind == "box":
        return min(size)
    if kind == "mesh":
        low, high = geom.bounds
        return float(min(b - a for a, b in zip(low, high, strict=True)))
    return (
        min(2 * size[0], size[1] + (2 * size[0] if kind == "capsule" else 0.0))
        if len(size) > 1
        else 2 * size[0]
    )


def contact_limits(physics: PhysicsWorld) -> list[Finding]:
    """Return pairs of solids that reach their limit of contact points, one per pair of top solids.

    The limit is ContactProperties.maxContactJoints. The deepest points are used; they may all lie on one
    side. Sleeping bodies
    are not checked.
    """
    points = Counter((a, b) for a, b, _ in physics.engine.contacts(sleepers=False).pairs)
    found: dict[tuple[Node, Node], Finding] = {}
    for pair, count in points.items():
        owners = [physics.handles.geoms.get(geom) for geom in pair]
        first, second = (owner[0] if owner is not None else None for owner in owners)
        if first is None or second is None:
            continue
        if count >= physics.builder.materials.most_contacts(first.material, second.material):
            tops = (_top(first.node), _top(second.node))
            found.setdefault(tops, _contact_limit(first.node, second.node, count))
    return list(found.values())


def _top(node: Node) -> Node:
    """Return the top-level node that contains a node."""
    while node.parent is not None:
        node = node.parent
    return node


def _contact_limit(first: Node, second: Node, count: int) -> Finding:
    text = (
        f"{node_path(first)} and {node_path(second)} touch at {count} or more points, but only the {count} "
        "deepest are used, so what rests on them may tremble; try a simpler boundingObject or, from R2023b "
        "on, a larger maxContactJoints in ContactProperties"
    )
    return Finding("contact-limit", first, second, count, text)


def gaps(physics: PhysicsWorld) -> list[Finding]:
    """Return joints whose halves are apart because forces or mass ratios are too large for the solver."""
    found = (_gap(physics, joint) for part in physics.plan.parts for joint in part.joints)
    return [finding for finding in found if finding is not None]


def _gap(physics: PhysicsWorld, joint: JointPlan) -> Finding | None:
    made = physics.handles.joints.get(joint.node)
    if made is None or made.kinematic or joint.suspension is not None:
        return None
    ends = ends_of(joint)
    parent = physics.body_pose(ends.parent) if ends.parent is not None else IDENTITY
    child = physics.body_pose(ends.child)
    place, _ = made.child_pose()
    lever = _lever(joint, ends.child.pose.position)
    gap = length(sub(child.position, place))
    if gap <= max(GAP_M, GAP_SHARE * lever):
        return None
    holder = node_path(ends.parent.root.node) if ends.parent is not None else "the world"
    at = " ".join(f"{x:.4g}" for x in parent.point(joint.anchor))
    text = (
        f"{node_path(joint.node)} between {holder} and {node_path(ends.child.root.node)} comes apart: "
        f"its halves are {gap:.4g} m apart at {at}; try masses that differ less, a smaller basicTimeStep or "
        "weaker motors"
    )
    return Finding("joint-gap", joint.node, ends.child.root.node, gap, text)


def _lever(joint: JointPlan, center: tuple[float, float, float]) -> float:
    parent = joint.parent
    anchor = parent.pose.rigid.point(joint.anchor) if parent is not None else joint.anchor
    return length(sub(center, anchor))


def falls(physics: PhysicsWorld) -> list[Finding]:
    """Return objects far below the lowest initial solid that are still falling."""
    up = physics.plan.settings.up
    lowest = min((dot(solid.pose.position, up) for solid in physics.solids()), default=0.0)
    found = []
    for part in physics.plan.parts:
        body = next((body for body in part.bodies if body.is_dynamic), None)
        if body is None:
            continue
        below = lowest - dot(physics.body_pose(body).position, up)
        if below > FALL_M and dot(physics.velocity(body.root.node)[0], up) < -FALL_M_S:
            text = (
                f"{node_path(body.root.node)} falls out of the world: it is {below:.4g} m below the lowest "
                "solid at the start; put a floor with a boundingObject under it"
            )
            found.append(Finding("falling", body.root.node, body.root.node, below, text))
    return found
