"""One node of a running simulation, as the Python API presents it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from wbridge.wbcore.physics.pose import Vec3, matrix, to_axis_angle
from wbridge.wbcore.physics.tree import node_path
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.scene.node import Node

if TYPE_CHECKING:
    from numpy.typing import NDArray

Array: TypeAlias = "NDArray[np.float64]"


class NodeView:
    """One node of a running simulation. All values are current, in world axes."""

    def __init__(self, physics: PhysicsWorld, node: Node) -> None:
        self._physics = physics
        self.node = node

    @property
    def path(self) -> str:
        """The node's path in the tree, for messages."""
        return node_path(self.node)

    @property
    def translation(self) -> Array:
        """(3,) m: the node's origin in the world."""
        return np.array(self._physics.pose(self.node).position)

    @property
    def rotation(self) -> Array:
        """(4,) unit axis and angle (rad, 0 to pi) in the world."""
        return np.array(to_axis_angle(self._physics.pose(self.node).orientation))

    @property
    def quaternion(self) -> Array:
        """(4,) w, x, y, z."""
        return np.array(self._physics.pose(self.node).orientation)

    @property
    def pose(self) -> Array:
        """(4, 4) homogeneous matrix from the node's frame to the world, without scale."""
        place = self._physics.pose(self.node)
        made = np.eye(4)
        made[:3, :3] = matrix(place.orientation)
        made[:3, 3] = place.position
        return made

    @property
    def linear_velocity(self) -> Array:
        """(3,) m/s of its origin."""
        return np.array(self._physics.velocity(self.node)[0])

    @property
    def angular_velocity(self) -> Array:
        """(3,) rad/s"""
        return np.array(self._physics.velocity(self.node)[1])

    @property
    def velocity(self) -> Array:
        """(6,) linear (m/s), then angular velocity (rad/s)."""
        return np.concatenate([self.linear_velocity, self.angular_velocity])

    def set_velocity(self, linear: Vec3 | None = None, angular: Vec3 | None = None) -> None:
        """Set a solid's velocity (m/s, rad/s); None leaves a part unchanged."""
        self._physics.set_velocity(self.node, linear, angular)

    def __repr__(self) -> str:
        return f"<NodeView {self.path}>"
