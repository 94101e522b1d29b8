"""One node of a running simulation: its pose and velocity, and forces on it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wbridge.api.vectors import vector
from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.node_view import NodeView
from wbridge.wbcore.scene.node import Node as TreeNode
from wbridge.wbcore.simulation import Simulation

__all__ = ["Node"]


class Node(NodeView):
    """A node of the world. All values are current, in the axes of the world."""

    def __init__(self, core: Simulation, node: TreeNode, changes: Callable[[], None]) -> None:
        """
        Args:
            core: the simulation.
            node: the node.
            changes: called before something is changed.
        """
        super().__init__(core.physics, node)
        self._core, self._changes = core, changes

    def __repr__(self) -> str:
        return f"<Node {self.path}>"

    @property
    def name(self) -> str:
        """The field `name`; "" for nodes without one."""
        return str(self.node.get("name")) if "name" in self.node.spec.fields else ""

    @property
    def position(self) -> NDArray[np.float64]:
        """(3,) m: the node's origin in the world."""
        return self.translation

    @property
    def mass(self) -> float:
        """Mass of the solid and of what is fixed to it (kg); 0 without Physics."""
        body = self._body()
        return 0.0 if body is None else body.mass.mass

    @property
    def center_of_mass(self) -> NDArray[np.float64]:
        """(3,) m, in the world: of the solid and of what is fixed to it.

        Raises:
            ValueError: the solid has no Physics node.
        """
        return np.array(self._dynamic().center_of_mass)

    def set_velocity(self, linear: ArrayLike | None = None, angular: ArrayLike | None = None) -> None:
        """Set the velocity of a solid (m/s, rad/s); None leaves a part unchanged."""
        self._changes()
        velocities = [None if part is None else vector(part, "velocity") for part in (linear, angular)]
        super().set_velocity(*velocities)

    def add_force(self, force: ArrayLike, at: ArrayLike | None = None) -> None:
        """Push the solid during the next basic time step.

        Args:
            force: N, in the axes of the world.
            at: the point (m, in the world); None: its center of mass.

        Raises:
            ValueError: the solid has no Physics node, or a number is not finite.
        """
        self._changes()
        body = self._dynamic()
        body.add_force(vector(force, "force"), body.center_of_mass if at is None else vector(at, "at"))

    def add_torque(self, torque: ArrayLike) -> None:
        """Turn the solid with a torque (N m, in the axes of the world) during the next basic time step.

        Raises:
            ValueError: the solid has no Physics node, or a number is not finite.
        """
        self._changes()
        self._dynamic().add_torque(vector(torque, "torque"))

    def _body(self) -> _engine.Body | None:
        plan = self._physics.solid(self.node).body
        return self._physics.handles.bodies.get(plan) if plan.is_dynamic else None

    def _dynamic(self) -> _engine.Body:
        body = self._body()
        if body is None:
            raise ValueError(f"{self.path} has no Physics node, so that forces have no effect on it")
        return body
