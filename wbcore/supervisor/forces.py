"""What acts on bodies at once: velocities, forces, torques, joint positions, and standing still."""

from __future__ import annotations

from math import isfinite
from typing import Any

from wbcore.engine import _engine
from wbcore.physics.pose import Vec3, rotate
from wbcore.physics.tree import node_path
from wbcore.scene.node import Node
from wbcore.supervisor.poses import center_of_mass, solids_below
from wbcore.supervisor.subject import Subject

__all__ = ["Forces"]

MOST = 1e12
"""Larger velocities (m/s, rad/s), forces (N) and torques (N m) are refused."""


class Forces(Subject):
    """Pushes, turns, moves and stops bodies."""

    def __init__(self, dispatcher: Any) -> None:
        super().__init__(dispatcher)
        self._resting: list[_engine.Body] = []
        """Bodies that leave out the next step."""

    # Velocities.

    def on_set_velocity(self, number: int, velocity: tuple[float, ...]) -> None:
        """Set linear (m/s) and angular velocity (rad/s) of a solid."""
        node = self.solid(number)
        _check(velocity)
        self.simulation.physics.set_velocity(node, velocity[:3], velocity[3:])  # type: ignore[arg-type]
        body = self._body(node)
        if body is not None:
            body.awake = True

    def on_reset_physics(self, number: int) -> None:
        """Stop a solid and all that hangs on it; its bodies stay where they are for one step."""
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
        """Let bodies rest that were moved since."""
        for body in self._resting:
            if body.valid:
                body.awake = False

    def after_step(self) -> None:
        """Wake the bodies that have left out this step."""
        if not self._resting:
            return
        resting, self._resting = self._resting, []
        for body in resting:
            if body.valid:
                body.reset()
                body.awake = True

    def save(self) -> Any:
        """The engine's numbers of the bodies that leave out the next step."""
        return [body.id for body in self._resting if body.valid]

    def load(self, state: Any) -> None:
        """See `save`."""
        bodies = {body.id: body for body in self.simulation.physics.handles.bodies.values()}
        self._resting = [bodies[number] for number in state if number in bodies]

    def reset(self) -> None:
        """Nothing rests any more."""
        self._resting = []

    # Forces.

    def on_add_force(self, number: int, force: Vec3, relative: bool) -> None:
        """Push a solid at its center of mass during the next step."""
        node = self.solid(number)
        body = self._pushed(node, force)
        if body is not None:
            point = center_of_mass(self, node) or body.center_of_mass
            body.add_force(self._in_world(node, force, relative), point)

    def on_add_force_with_offset(self, number: int, force: Vec3, offset: Vec3, relative: bool) -> None:
        """Push a solid at a place in its own frame during the next step."""
        node = self.solid(number)
        _check(offset)
        body = self._pushed(node, force)
        if body is not None:
            point = self.simulation.physics.pose(node).rigid.point(offset)
            body.add_force(self._in_world(node, force, relative), point)

    def on_add_torque(self, number: int, torque: Vec3, relative: bool) -> None:
        """Turn a solid during the next step."""
        node = self.solid(number)
        body = self._pushed(node, torque)
        if body is not None:
            body.add_torque(self._in_world(node, torque, relative))

    def _pushed(self, node: Node, force: Vec3) -> _engine.Body | None:
        """The body that carries a solid; None, with a warning, when nothing can push it."""
        _check(force)
        body = self._body(node)
        if body is None:
            self.robot.warn(f"a force on {node_path(node)} has no effect: it has no Physics")
        return body

    def _body(self, node: Node) -> _engine.Body | None:
        physics = self.simulation.physics
        body = physics.solid(node).body
        return physics.handles.bodies.get(body) if body.is_dynamic else None

    def _in_world(self, node: Node, vector: Vec3, relative: bool) -> Vec3:
        return rotate(self.simulation.physics.pose(node).orientation, vector) if relative else vector

    # Joints.

    def on_set_joint_position(self, number: int, position: float, axis: int) -> None:
        """Put an axis (1 to 3) of a joint at a position (rad or m) at once."""
        node = self.node(number)
        _check((position,))
        if not node.is_a("Joint"):
            raise ValueError(f"{node_path(node)} is no joint")
        if axis < 1:
            raise ValueError(f"the axes of a joint are numbered from 1 on, not {axis}")
        self.simulation.physics.set_joint_position(node, position, axis - 1)


def _check(numbers: tuple[float, ...]) -> None:
    if not all(isfinite(one) and abs(one) <= MOST for one in numbers):
        raise ValueError(f"{numbers} are no numbers that a simulation can use (finite, at most {MOST:g})")
