"""Where a device is fixed: found once; then pose and motion follow from the engine's body in few steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from wbcore.engine import _engine
from wbcore.scene.node import Node

from . import sync
from .plan import BodyPlan, SolidPlan
from .pose import IDENTITY, Pose, Quat, Vec3, matrix, multiply

if TYPE_CHECKING:
    from .world import PhysicsWorld

__all__ = ["Mount", "engine_frame"]


def engine_frame(physics: PhysicsWorld, plan: BodyPlan, inner: Pose) -> tuple[_engine.Body | None, Pose]:
    """What the engine has of a pose in a body: the nearest body that it moves, and the pose in that.

    Bodies without an engine object stand still; then the body is None and the pose that in the world.
    Nothing is made in the engine, so that looking changes no hash and no state.
    """
    bodies = physics.handles.bodies
    place = inner
    while plan not in bodies:
        if plan.carrier is None:
            return None, plan.pose @ place
        place = plan.carrier.pose.relative(plan.pose) @ place
        plan = plan.carrier
    return bodies[plan], place


class Mount:
    """The place of a node in the moving world.

    `follow` has to be called before the others in each moment: it finds the place anew when solids were built
    anew, and tells so.
    """

    __slots__ = (
        "_builder", "_inner", "_inner_rows", "_node", "_physics", "_plain", "_structure",
        "body", "dynamic", "solid",
    )  # fmt: skip

    def __init__(self, physics: PhysicsWorld, node: Callable[[], Node]) -> None:
        """
        Args:
            physics: of the world.
            node: gives the node; another one after its PROTO instance got a new body.
        """
        self._physics = physics
        self._node = node
        self._builder: object = None
        self._structure = -1
        self.body: _engine.Body | None = None
        """The engine's body that carries it; None: it stands."""
        self.dynamic: _engine.Body | None = None
        """The body with mass that it is part of or hangs on; None without one."""
        self.solid: SolidPlan
        self._inner = IDENTITY
        self._inner_rows = matrix(IDENTITY.orientation)
        self._plain = True

    def follow(self) -> bool:
        """Look whether solids were built anew; True when the place was found anew, also the first time."""
        physics = self._physics
        if physics.builder is self._builder and physics.structure == self._structure:
            return False
        self._builder, self._structure = physics.builder, physics.structure
        node = self._node()
        self.solid = physics.solid(node)
        offset = Pose(self.solid.offset.position, self.solid.offset.orientation, self.solid.pose.scale)
        inner = offset @ sync.frame_below(node.root, self.solid.node)
        self.body, inner = engine_frame(physics, self.solid.body, inner)
        self._inner = inner
        self._inner_rows = matrix(inner.orientation)
        self._plain = inner.rigid == IDENTITY
        plan = self.solid.body
        while not plan.is_dynamic and plan.above is not None:
            plan = plan.above
        self.dynamic = physics.handles.bodies.get(plan) if plan.is_dynamic else None
        return True

    @property
    def inner(self) -> Pose:
        """The pose in `body`, or in the world without one; with the scale of the node's frame."""
        return self._inner

    @property
    def scale(self) -> float:
        """The scale of the node's frame along x; 1 in worlds of today."""
        return abs(self._inner.scale[0])

    def position(self) -> Vec3:
        """The origin in the world (m)."""
        body = self.body
        x, y, z = self._inner.position
        if body is None:
            return (x, y, z)
        px, py, pz = body.position
        if self._plain:
            return (px, py, pz)
        a, b, c, d, e, f, g, h, i = body.rotation
        return (px + a * x + b * y + c * z, py + d * x + e * y + f * z, pz + g * x + h * y + i * z)

    def orientation(self) -> Quat:
        """The orientation in the world (w, x, y, z)."""
        if self.body is None:
            return self._inner.orientation
        return multiply(self.body.orientation, self._inner.orientation)

    def pose(self) -> Pose:
        """Position and orientation in the world."""
        return Pose(self.position(), self.orientation())

    def to_local(self, vector: Vec3) -> Vec3:
        """A direction of the world in the node's own axes."""
        x, y, z = vector
        if self.body is not None:
            a, b, c, d, e, f, g, h, i = self.body.rotation
            x, y, z = a * x + d * y + g * z, b * x + e * y + h * z, c * x + f * y + i * z
            if self._plain:
                return (x, y, z)
        (a, b, c), (d, e, f), (g, h, i) = self._inner_rows
        return (a * x + d * y + g * z, b * x + e * y + h * z, c * x + f * y + i * z)

    def to_world(self, vector: Vec3) -> Vec3:
        """A direction of the node's own axes in those of the world."""
        x, y, z = vector
        (a, b, c), (d, e, f), (g, h, i) = self._inner_rows
        x, y, z = a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z
        if self.body is None:
            return (x, y, z)
        a, b, c, d, e, f, g, h, i = self.body.rotation
        return (a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z)
