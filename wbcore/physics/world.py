"""The physics of a loaded world: its engine, stepping, poses and velocities by node, and changes while it
runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics import changes, fluids, regeneration, sync
from wbridge.wbcore.physics.build import Builder, Handles, as_pose
from wbridge.wbcore.physics.clock import Clock
from wbridge.wbcore.physics.errors import (
    BrokenBody,
    StateError,
    UnknownNodeError,
    UnstableError,
    failed,
    unstable,
)
from wbridge.wbcore.physics.kinematics import DriveController
from wbridge.wbcore.physics.plan import BodyPlan, SolidPlan, WorldPlan
from wbridge.wbcore.physics.planner import Planner, make_planner
from wbridge.wbcore.physics.pose import Pose, Vec3
from wbridge.wbcore.physics.solvers import chosen_solver
from wbridge.wbcore.physics.ties import Ties
from wbridge.wbcore.physics.tree import node_path
from wbridge.wbcore.physics.velocities import velocity_of
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node


class PhysicsWorld:
    """The physics of a world. Nodes may be given as they are in the tree, including PROTO instances.

    Stepping does not change the tree; `sync` writes poses and joint positions into it. After a change of the
    tree, call `moved`, `added`, `removed` or `changed`.
    """

    def __init__(self, world: World, seed: int | None = None, solver: str | None = None) -> None:
        """Plan and build a loaded world; `seed` overrides WorldInfo.randomSeed.

        Raises:
            ValueError: there is no such solver (see wbridge.wbcore.physics.solvers).
        """
        self.solver = chosen_solver(solver)
        self.world = world
        self.planner: Planner = make_planner(world)
        if seed is not None:
            self.plan.settings.random_seed = seed & 0xFFFFFFFF
        self.structure = 0
        """Counts the changes that invalidate engine handles."""
        self.has_own_threads = False
        """Whether the number of threads was set here instead of by WorldInfo."""
        self.ties = Ties(self)
        """Solids that are temporarily fixed to each other."""
        self.shown: dict[Node, Any] = {}
        """What those who show the world keep of nodes, as long as the world exists."""
        self._build()

    def _build(self) -> None:
        bodies = (body for part in self.plan.parts for body in part.bodies)
        self.builder = Builder(self.plan.settings, self.plan.report, bodies)
        self.engine.solver = self.solver
        self.drives: list[DriveController] = []
        for part in self.plan.parts:
            self.builder.add(part)
            self.drives += [DriveController(self.builder, drive) for drive in part.drives]
        fluids.connect(self.builder, self.plan)
        self.clock = Clock(self.engine.dt)
        self.engine.collide()

    def use_threads(self, number: int) -> None:
        """Set the maximum number of threads of a step (1 to 256), whatever WorldInfo says now or later."""
        self.engine.threads = self.plan.settings.threads = number
        self.has_own_threads = True

    def build_again(self) -> None:
        """Rebuild everything from the plan, with the time at 0."""
        self.structure += 1
        self.ties.forget()
        self._build()

    @property
    def plan(self) -> WorldPlan:
        """The plan that was built, with the report of what could not be built."""
        return self.planner.plan

    @property
    def engine(self) -> _engine.World:
        """The engine, used by devices for rays, forces and contacts."""
        return self.builder.engine

    @property
    def handles(self) -> Handles:
        """Engine objects by node."""
        return self.builder.handles

    def step(self, count: int = 1) -> None:
        """Advance by basic time steps.

        Raises:
            UnstableError: a body is in an invalid state; the step is complete.
            PluginError: the physics plugin has failed.
        """
        try:
            if not self.drives:
                if count == 1:
                    self.builder.engine.step()  # without arguments it is called faster
                else:
                    self.builder.engine.step(count)
                return
            for _ in range(count):
                for drive in self.drives:
                    drive.before_step()
                self.engine.step(1)
                for drive in self.drives:
                    drive.after_step()
        except _engine.PhysicsError as failure:
            raise self.unstable(failure) from None
        except _engine.PluginFailure as failure:
            raise failed(self.world.plugin_name, failure) from None

    def unstable(self, failure: _engine.PhysicsError) -> UnstableError:
        """Translate the engine's report about a step into an exception that names the nodes."""
        return unstable(self.time, [self._broken(problem) for problem in failure.problems])

    def _broken(self, problem: tuple[int, str, Vec3, Vec3, Vec3]) -> BrokenBody:
        number, kind, position, linear, angular = problem
        plan = self.handles.body_of.get(number)
        node = plan.root.node if plan is not None else None
        path = node_path(node) if node is not None else f"body {number}"
        return BrokenBody(node, path, kind, position, linear, angular)

    @property
    def time(self) -> float:
        """Simulated time (s)."""
        return self.clock.at(self.engine.steps)

    def solid(self, node: Node) -> SolidPlan:
        """Return the plan of a solid, or of the solid that contains a node.

        Raises:
            UnknownNodeError: the node is not inside a solid of this world.
        """
        above: Node | None = node.root
        while above is not None:
            found = self.handles.solids.get(above)
            if found is not None:
                return found
            above = above.parent
        raise UnknownNodeError(f"{node_path(node)}: this node is not part of a solid in this world")

    def solids(self) -> Iterator[SolidPlan]:
        """Iterate over all solids, in the order of the tree."""
        return (solid for part in self.plan.parts for solid in part.solids)

    def body_pose(self, body: BodyPlan) -> Pose:
        """Return the current pose of a body's frame in the world."""
        made = self.handles.bodies.get(body)
        if made is not None:
            return as_pose(made)
        if body.carrier is not None:
            return self.body_pose(body.carrier) @ body.carrier.pose.relative(body.pose)
        return body.pose

    def solid_pose(self, solid: SolidPlan) -> Pose:
        """Return the current pose of a solid in the world, with its scale."""
        place = self.body_pose(solid.body) @ solid.offset
        return Pose(place.position, place.orientation, solid.pose.scale)

    def pose(self, node: Node) -> Pose:
        """Return the current pose of a node's coordinate system in the world.

        For other nodes than solids, the offset from the solid above is read from the tree.

        Raises:
            UnknownNodeError: the node is not inside a solid of this world.
        """
        solid = self.solid(node)
        return self.solid_pose(solid) @ sync.frame_below(node.root, solid.node)

    def velocity(self, node: Node) -> tuple[Vec3, Vec3]:
        """Return the linear velocity (m/s) of a node's origin and the angular velocity (rad/s), in world
        axes.

        A solid without Physics moves with what carries it and by its own joint.

        Raises:
            UnknownNodeError: the node is not inside a solid of this world.
        """
        return velocity_of(self, self.solid(node).body, self.pose(node).position)

    def carrier(self, node: Node) -> tuple[_engine.Body, Pose]:
        """Return the engine body that carries a node, created if needed, and the node's pose in it.

        Raises:
            UnknownNodeError: the node is not inside a solid of this world.
        """
        solid = self.solid(node)
        below = sync.frame_below(node.root, solid.node)
        inner = Pose(solid.offset.position, solid.offset.orientation, solid.pose.scale) @ below
        return self.builder.body(solid.body), inner.rigid

    def sync(self) -> None:
        """Write poses, velocities and joint positions of moved objects into the tree."""
        sync.write_back(self)

    def moved(self, node: Node) -> None:
        """Move a solid after its translation or rotation field was set. Velocities stay."""
        changes.moved(self, node)

    def added(self, node: Node) -> None:
        """Build a node that was added to the tree."""
        changes.added(self, node)

    def removed(self, node: Node) -> None:
        """Remove a node that was taken out of the tree; `node.parent` is still its old parent."""
        changes.removed(self, node)

    def changed(self, node: Node, field: str) -> None:
        """Apply a changed field of a node or parameter of a PROTO instance."""
        regeneration.changed(self, node, field)

    def regenerated(self, instance: Node) -> None:
        """Replace the physics of a regenerated PROTO instance."""
        regeneration.regenerated(self, instance)

    def halt(self, node: Node) -> None:
        """Stop a solid and everything attached to it: velocities, forces and motor speeds become 0.

        Raises:
            UnknownNodeError: the node is not a solid of this world.
        """
        changes.halt(self, node)

    def set_velocity(self, node: Node, linear: Vec3 | None, angular: Vec3 | None) -> None:
        """Set a solid's velocity (m/s, rad/s, world axes); None leaves a part unchanged.

        Only a body's root solid moves the body, as in Webots.

        Raises:
            UnknownNodeError: the node is not a solid of this world.
        """
        changes.set_velocity(self, node, linear, angular)

    def set_joint_position(self, node: Node, position: float, index: int = 0) -> None:
        """Move a joint's end point to a position (rad or m), at rest, with everything attached to it."""
        changes.set_joint_position(self, node, position, index)

    def save(self) -> bytes:
        """Return everything that changes while stepping, as bytes."""
        drives = (drive.save() for drive in self.drives)
        return b"".join([self.engine.state(), self.clock.save(), *drives, self.ties.save()])

    def restore(self, state: bytes) -> None:
        """Go back to a saved state.

        Raises:
            StateError: the state belongs to another world, or solids were added or removed since.
        """
        ties = Ties.size(state)
        state, ties_state = state[: len(state) - ties], state[len(state) - ties :]
        sizes = [len(drive.save()) for drive in self.drives]
        end = len(state) - sum(sizes) - Clock.size()
        before = self.ties.save()
        self.ties.restore(ties_state)
        try:
            self.engine.restore(state[: max(end, 0)])
        except ValueError as refusal:
            self.ties.restore(before)
            raise StateError(f"{self.world.path}: {refusal}") from None
        self.clock.restore(state[end : end + Clock.size()], self.engine.steps)
        end += Clock.size()
        for drive, size in zip(self.drives, sizes, strict=True):
            drive.restore(state[end : end + size])
            end += size
