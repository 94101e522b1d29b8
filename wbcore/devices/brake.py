"""The Brake: adds damping to a joint, or slows down a track in force control.

The damping force is -(dampingConstant of the joint + damping of the brake) * velocity (manual, chapter
Brake).
"""

from __future__ import annotations

from wbridge.wbcore.devices.joint_device import JointDevice
from wbridge.wbcore.engine import _engine


class Brake(JointDevice):
    """Slows a joint down."""

    def on_set_damping_constant(self, damping: float) -> None:
        """Set the damping constant (N s/m or N m s/rad), at least 0."""
        braked = self.braked
        if braked is not None:
            braked.brake = damping
        elif damping:
            self.robot.warn(f'brake "{self.name}" has no effect: it is on no moving joint or track')

    def on_set_damping_constant_and_get_sibling(self, damping: float, node_type: int) -> None:
        """Both."""
        self.on_set_damping_constant(damping)
        self.on_get_sibling(node_type)

    @property
    def setting(self) -> float:
        """The current damping constant (N s/m or N m s/rad)."""
        braked = self.braked
        return 0.0 if braked is None else braked.brake

    @property
    def braked(self) -> _engine.JointAxis | _engine.Track | None:
        """The engine's joint axis or track; None if the brake acts on neither."""
        h, node = self.simulation.physics.handles, self.joint_node
        return h.axes.get(self.node) or (h.tracks.get(node) if node is not None else None)

    def reset(self) -> None:
        """Release the brake, as at the start."""
        braked = self.braked
        if braked is not None:
            braked.brake = 0.0
