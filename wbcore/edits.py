"""Changes of the tree of a running simulation, and who has to hear of them: physics, devices, controllers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wbcore.physics.tree import is_frame
from wbcore.scene.node import Node

if TYPE_CHECKING:
    from wbcore.simulation import Simulation

__all__ = ["set_field"]

PLACES = ("translation", "rotation", "scale")


def set_field(simulation: Simulation, node: Node, name: str, value: Any) -> None:
    """Give a field of a node a value.

    Raises:
        KeyError: the node has no such field.
    """
    simulation.world.set(node, name, value)
    if name in PLACES and is_frame(node.root):
        simulation.physics.moved(node)
    else:
        simulation.physics.changed(node, name)
    device = simulation.robots.device(node)
    if device is not None:
        device.field_changed(name)
