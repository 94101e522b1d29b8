"""Solids that move alone: the shortcut from a node to its only engine body.

Supervisors often query and move such solids, in each step. Cached entries are valid until bodies change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.changes import part_of
from wbridge.wbcore.physics.plan import SolidPlan
from wbridge.wbcore.physics.pose import IDENTITY
from wbridge.wbcore.scene.node import Node

if TYPE_CHECKING:
    from wbridge.wbcore.physics.world import PhysicsWorld


class FreeBodies:
    """Engine bodies of solids, by node."""

    def __init__(self, physics: PhysicsWorld) -> None:
        self._physics = physics
        self._stamp: tuple[object, int] = (None, -1)
        self._own: dict[Node, _engine.Body | None] = {}
        self._free: dict[Node, _engine.Body | None] = {}

    def _check(self) -> None:
        physics = self._physics
        stamp = (physics.engine, physics.structure)
        if stamp != self._stamp:
            self._stamp = stamp
            self._own.clear()
            self._free.clear()

    def own(self, node: Node) -> _engine.Body | None:
        """Return the body with the frame of a solid, or None if it has no body of its own."""
        self._check()
        if node not in self._own:
            solid = self._physics.handles.solids.get(node.root)
            found = None
            if solid is not None and solid.body.root is solid:
                found = self._physics.handles.bodies.get(solid.body)
            self._own[node] = found
        return self._own[node]

    def free(self, node: Node) -> _engine.Body | None:
        """Return the body of a top-level solid if nothing else moves with it, or None."""
        self._check()
        if node not in self._free:
            solid = self._physics.handles.solids.get(node.root)
            self._free[node] = self.own(node) if solid is not None and self._is_free(solid) else None
        return self._free[node]

    def _is_free(self, solid: SolidPlan) -> bool:
        body, physics = solid.body, self._physics
        if solid.parent is not None or solid.frame != IDENTITY or body.carrier or body.pinned:
            return False
        part = part_of(physics, solid)
        made = [body for body in part.bodies if body in physics.handles.bodies]
        return made == [body] and not (part.joints or part.drives or part.tracks or part.fluids)
