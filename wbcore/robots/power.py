"""The robot's battery, as its controller asks for it."""

from __future__ import annotations

from wbcore.devices.sensor import Sampling
from wbcore.robots.parts import Part
from wbcore.robots.robot import Robot

NO_BATTERY = -1.0


class Power(Part):
    """The battery sensor."""

    def __init__(self, robot: Robot) -> None:
        super().__init__(robot)
        self.sampling = Sampling()

    def on_enable_battery(self, period: int) -> None:
        """Set the sampling period of the battery sensor in ms; 0: off."""
        self.sampling.start(period, self.robot.simulation.time_ms)

    def connect(self) -> None:
        """The battery sensor is off."""
        self.sampling = Sampling()

    def sample(self, now: float) -> None:
        """Tell the energy (J) if it is due."""
        if self.sampling.is_due(now):
            self.sampling.take(now)
            self.robot.tell_newest("battery", self.energy)

    @property
    def energy(self) -> float:
        """What is left (J); -1 without a battery."""
        battery = self.robot.node.get("battery")
        return float(battery[0]) if len(battery) else NO_BATTERY


def make(robot: Robot) -> Part:
    """The part for a robot."""
    return Power(robot)
