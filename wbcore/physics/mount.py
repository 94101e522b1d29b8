"""Cache where a device is attached, so that pose and motion follow cheaply from the engine's body."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics import sync
from wbridge.wbcore.physics.plan import BodyPlan, SolidPlan
from wbridge.wbcore.physics.pose import IDENTITY, Pose, Quat, Vec3
from wbridge.wbcore.scene.node import Node

if TYPE_CHECKING:
    from wbridge.wbcore.physics.world import PhysicsWorld


def engine_frame(physics: PhysicsWorld, plan: BodyPlan, inner: Pose) -> tuple[_engine.Body | None, Pose]:
    """Return the nearest body that the engine moves, and the pose in it.

    Bodies without an engine object are static; for these the body is None and the pose is in the world. This
    creates nothing in the engine, so reading changes neither hash nor state.
    """
    bodies = physics.handles.bodies
    place = inner
    while plan not in bodies:
        if plan.carrier is None:
            return None, plan.pose @ place
        place = plan.carrier.pose.relative(plan.pose) @ place
        plan = plan.carrier
    return bodies[plan], place


def solid_frame(physics: PhysicsWorld, solid: SolidPlan | None) -> tuple[_engine.Body | None, Pose]:
    """Return the body that carries a solid, and the solid's pose in it; no solid: the world."""
    return (None, IDENTITY) if solid is None else engine_frame(physics, solid.body, solid.offset)


class Mount:
    """The pose of a node in the moving world.

    Call `follow` first in each step: it updates the cache after solids were rebuilt.
    """

    __slots__ = (
        "_builder", "_inner", "_node", "_physics", "_structure",
        "body", "dynamic", "native", "solid",
    )  # fmt: skip

    def __init__(self, physics: PhysicsWorld, node: Callable[[], Node]) -> None:
        """
        Args:
            physics: the physics of the world.
            node: returns the node, which changes when its PROTO instance is regenerated.
        """
        self._physics = physics
        self._node = node
        self._builder: object = None
        self._structure = -1
        self.body: _engine.Body | None = None
        """The engine body that carries the node; None if it is static."""
        self.dynamic: _engine.Body | None = None
        """The body with mass that the node is part of or attached to, if any."""
        self.solid: SolidPlan
        self._inner = IDENTITY
        self.native: _engine.SensorMount
        """The engine's form of it, after `follow`."""

    def follow(self) -> bool:
        """Update the cache if solids were rebuilt; return True if it changed, also on the first call."""
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
        self.native = _engine.SensorMount(self.body, inner.position, inner.orientation)
        plan = self.solid.body
        while not plan.is_dynamic and plan.above is not None:
            plan = plan.above
        self.dynamic = physics.handles.bodies.get(plan) if plan.is_dynamic else None
        return True

    @property
    def inner(self) -> Pose:
        """The pose in `body` (in the world without one), with the scale of the node's frame."""
        return self._inner

    @property
    def scale(self) -> float:
        """The scale of the node's frame along x; 1 in worlds since R2022a."""
        return abs(self._inner.scale[0])

    def position(self) -> Vec3:
        """Return the origin in the world (m)."""
        return self.native.position()

    def orientation(self) -> Quat:
        """Return the orientation in the world (w, x, y, z)."""
        return self.native.orientation()

    def pose(self) -> Pose:
        """Return position and orientation in the world."""
        return Pose(self.position(), self.orientation())

    def to_local(self, vector: Vec3) -> Vec3:
        """Rotate a world vector into the node's axes."""
        return self.native.to_local(vector)

    def to_world(self, vector: Vec3) -> Vec3:
        """Rotate a vector from the node's axes into the world's."""
        return self.native.to_world(vector)
