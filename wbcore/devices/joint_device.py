"""The base class of devices on a joint: each knows the others on its axis."""

from __future__ import annotations

from wbridge.hal.protocol.table_constants import SIBLINGS
from wbridge.wbcore.devices.device import Device
from wbridge.wbcore.engine import _engine
from wbridge.wbcore.scene.node import Node


class JointDevice(Device):
    """A motor, position sensor or brake."""

    def on_get_sibling(self, node_type: int) -> None:
        """Send the tag of the device of a type at the same axis; 0 when there is none."""
        constant = SIBLINGS.get(self.robot.dialect.node(node_type), "")
        self.send("sibling", self.entry.constants.get(constant, 0))

    @property
    def joint_node(self) -> Node | None:
        """The joint, track or propeller that contains the device; a Servo is its own joint."""
        return self.place.holder

    @property
    def joint(self) -> _engine.Joint | None:
        """The engine's joint; None if the device drives none."""
        node = self.joint_node
        return self.simulation.physics.handles.joints.get(node) if node is not None else None
