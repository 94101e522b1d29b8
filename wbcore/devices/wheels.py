"""The wheels of DifferentialWheels in the physics: joints, or a drive controller without Physics."""

from __future__ import annotations

from wbridge.hal.protocol.wheels import LEFT, RIGHT
from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.kinematics import DriveController
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.scene.node import Node


class Wheel:
    """One wheel of a robot, identified by the name of its sensor or motor."""

    def __init__(self, physics: PhysicsWorld, robot: Node, device: str) -> None:
        self._physics = physics
        self._robot = robot
        self._structure = -1
        self._node: Node | None = None
        self._axis: _engine.JointAxis | None = None
        self._drive: DriveController | None = None
        self.name = LEFT if device.startswith(LEFT) else RIGHT
        self.side = (LEFT, RIGHT).index(self.name)

    def _follow(self) -> None:
        """Look it up again after a rebuild."""
        physics = self._physics
        if self._structure == physics.structure:
            return
        self._structure = physics.structure
        self._node = next((plan for plan in physics.handles.joint_plans if self._is(plan)), None)
        self._axis = physics.handles.joints[self._node][0] if self._node is not None else None
        self._drive = next((drive for drive in physics.drives if drive.plan.node is self._robot), None)

    def _is(self, node: Node) -> bool:
        plan = self._physics.handles.joint_plans[node]
        is_own = plan.parent is not None and plan.parent.node is self._robot
        return is_own and plan.child is not None and plan.child.node.get("name") == self.name

    @property
    def node(self) -> Node | None:
        """The solid on the wheel's joint; None if there is none."""
        self._follow()
        return self._node

    @property
    def axis(self) -> _engine.JointAxis | None:
        """The axis of the wheel's joint."""
        self._follow()
        return self._axis

    @property
    def drive(self) -> DriveController | None:
        """The drive controller of a robot without Physics."""
        self._follow()
        return self._drive
