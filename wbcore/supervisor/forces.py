"""Immediate effects on bodies: velocities, forces, torques, joint positions, and physics resets."""

from __future__ import annotations

from math import isfinite

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.pose import Vec3, rotate
from wbridge.wbcore.physics.tree import node_path
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.supervisor.command_group import CommandGroup
from wbridge.wbcore.supervisor.dispatcher import Dispatcher
from wbridge.wbcore.supervisor.poses import center_of_mass, solids_below

MOST = 1e12
"""Maximum velocity (m/s, rad/s), force (N) and torque (N m)."""


class Forces(CommandGroup):
    """Pushes, turns, moves and stops bodies."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        super().__init__(dispatcher)
        self._resting: list[_engine.Body] = []
        """Bodies that are asleep during the next step."""

    # Velocities.

    def on_set_velocity(self, number: int, velocity: tuple[float, ...]) -> None:
        """Set the linear (m/s) and angular velocity (rad/s) of a solid."""
        node = self.solid(number)
        _check(velocity)
        self.simulation.physics.set_velocity(node, velocity[:3], velocity[3:])  # type: ignore[arg-type]
        body = self._body(node)
        if body is not None:
            body.awake = True

    def on_reset_physics(self, number: int) -> None:
        """Stop a solid and its descendants; their bodies do not move for one step."""
        node = self.solid(number)
        physics = self.simulation.physics
        physics.halt(node)
        for solid in solids_below(self, node):
            made = physics.handles.bodies.get(solid.body)
            if made is not None and solid.body.is_dynamic and solid.body.root is solid:
                self._resting.append(made)

    def on_reset_world_physics(self) -> None:
        """Stop all solids, and restart the random numbers."""
        physics = self.simulation.physics
        for part in physics.plan.parts:
            if part.solids:
                physics.halt(part.node)
        physics.engine.seed(physics.plan.settings.random_seed)

    def before_step(self) -> None:
        """Put bodies to sleep that were moved since their reset."""
        for body in self._resting:
            if body.valid:
                body.awake = False

    def after_step(self) -> None:
        """Wake the bodies that were asleep during this step."""
        if not self._resting:
            return
        resting, self._resting = self._resting, []
        for body in resting:
            if body.valid:
                body.reset()
                body.awake = True

    def save(self) -> list[int]:
        """Return the engine's numbers of the bodies that are asleep during the next step."""
        return [body.id for body in self._resting if body.valid]

    def load(self, state: list[int]) -> None:
        """See `save`."""
        bodies = {body.id: body for body in self.simulation.physics.handles.bodies.values()}
        self._resting = [bodies[number] for number in state if number in bodies]

    def reset(self) -> None:
        """Wake all bodies."""
        self._resting = []

    # Forces.

    def on_add_force(self, number: int, force: Vec3, relative: bool) -> None:
        """Apply a force at a solid's center of mass during the next step."""
        node = self.solid(number)
        body = self._pushed(node, force)
        if body is not None:
            point = center_of_mass(self, node) or body.center_of_mass
            body.add_force(self._in_world(node, force, relative), point)

    def on_add_force_with_offset(self, number: int, force: Vec3, offset: Vec3, relative: bool) -> None:
        """Apply a force at a point in the solid's frame during the next step."""
        node = self.solid(number)
        _check(offset)
        body = self._pushed(node, force)
        if body is not None:
            point = self.simulation.physics.pose(node).rigid.point(offset)
            body.add_force(self._in_world(node, force, relative), point)

    def on_add_torque(self, number: int, torque: Vec3, relative: bool) -> None:
        """Apply a torque to a solid during the next step."""
        node = self.solid(number)
        body = self._pushed(node, torque)
        if body is not None:
            body.add_torque(self._in_world(node, torque, relative))

    def _pushed(self, node: Node, force: Vec3) -> _engine.Body | None:
        """Return the body of a solid; None, with a warning, if forces have no effect on it."""
        _check(force)
        body = self._body(node)
        if body is None:
            self.robot.warn(f"a force on {node_path(node)} has no effect: it has no Physics node")
        return body

    def _body(self, node: Node) -> _engine.Body | None:
        physics = self.simulation.physics
        body = physics.solid(node).body
        return physics.handles.bodies.get(body) if body.is_dynamic else None

    def _in_world(self, node: Node, vector: Vec3, relative: bool) -> Vec3:
        return rotate(self.simulation.physics.pose(node).orientation, vector) if relative else vector

    # Joints.

    def on_set_joint_position(self, number: int, position: float, axis: int) -> None:
        """Set the position (rad or m) of a joint's axis (1 to 3) immediately."""
        node = self.node(number)
        _check((position,))
        if not node.is_a("Joint"):
            raise ValueError(f"{node_path(node)} is not a joint")
        if axis < 1:
            raise ValueError(f"joint axis {axis} is out of range; allowed: 1 or more")
        self.simulation.physics.set_joint_position(node, position, axis - 1)


def _check(numbers: tuple[float, ...]) -> None:
    if not all(isfinite(number) and abs(number) <= MOST for number in numbers):
        raise ValueError(f"{numbers} are out of range; allowed: finite numbers up to {MOST:g}")
