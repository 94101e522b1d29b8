"""All robots of a running simulation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from wbcore.device_tables import robots as robot_nodes
from wbcore.devices import Device
from wbcore.robots.air import Air
from wbcore.robots.robot import Robot
from wbcore.scene.node import Node

if TYPE_CHECKING:
    from wbcore.simulation import Simulation

__all__ = ["Robots"]


class Robots:
    """The robots in scene-tree order, and their devices by node."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self.air = Air()
        """What emitters send in a step."""
        nodes = robot_nodes(simulation.world.nodes)
        self.list = [Robot(simulation, node, number) for number, node in enumerate(nodes)]

    def __iter__(self) -> Iterator[Robot]:
        return iter(self.list)

    def __len__(self) -> int:
        return len(self.list)

    def find(self, name: str) -> Robot | None:
        """The first robot with a name."""
        return next((one for one in self.list if one.name == name), None)

    def of(self, node: Node) -> Robot | None:
        """The robot whose node this is."""
        return next((one for one in self.list if one.node is node.root), None)

    def device(self, node: Node) -> Device | None:
        """The device whose node this is."""
        for robot in self.list:
            for device in robot.devices:
                if device.node is node.root:
                    return device
        return None

    def before_step(self) -> None:
        """Before the physics makes a step."""
        self.air.clear()
        for robot in self.list:
            robot.begin_step()
        for robot in self.list:
            robot.before_step()

    def after_step(self) -> None:
        """After the physics has made a step."""
        for robot in self.list:
            robot.after_step()

    def reset(self) -> None:
        """The simulation went back to its start."""
        self.air.clear()
        for robot in self.list:
            robot.reset()
