"""The simulated robot beside the real one: it gets the same commands, and its sensors are compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from wbridge.wbcore.bridge.channel_commands import sample_values
from wbridge.wbcore.controllers.runner import Runner
from wbridge.wbcore.devices.sensor import Sensor
from wbridge.wbcore.remote.real_step import RealStep
from wbridge.wbcore.remote.simulated_twin import FollowingRobot, measured
from wbridge.wbcore.robots.robot import Robot

__all__ = ["Compared", "Twin"]


class Compared(NamedTuple):
    """One number of a sensor."""

    name: str
    """Of the device, with its channel unless that is "value"."""
    real: float
    simulated: float


class Twin:
    """A simulated robot whose controller drives the real one."""

    def __init__(self, runner: Runner, robot: Robot) -> None:
        self._robot = robot
        self._follower = FollowingRobot(runner.simulation.world, robot.node, mirrors=False)
        self._follower.join(lambda: runner.simulation)

    def take(self, step: RealStep) -> None:
        """Let the simulated robot do what the real one was told."""
        self._follower.take(step)

    def compared(self, readings: Mapping[int, Mapping[str, object]]) -> list[Compared]:
        """Return the numbers of all sensors of which there are readings.

        Args:
            readings: of the real robot, by tag and channel.
        """
        rows = []
        for device in self._robot.devices:
            real = readings.get(device.tag, {})
            if real and isinstance(device, Sensor):
                values = measured(device, self._robot.simulation.step_s)
                for channel, value in sample_values(device, device.MESSAGE, values) if values else ():
                    rows += _rows(device.name, channel, real.get(channel), value)
        return rows


def _rows(name: str, channel: str, real: object, simulated: object) -> list[Compared]:
    """Return a row for a number, or one for each element of a vector."""
    title = name if channel == "value" else f"{name} {channel}"
    if isinstance(real, (int, float)) and isinstance(simulated, (int, float)):
        return [Compared(title, float(real), float(simulated))]
    if isinstance(real, (list, tuple)) and isinstance(simulated, (list, tuple)):
        pairs = zip("xyz", real, simulated, strict=False)
        return [Compared(f"{title} {axis}", float(one), float(other)) for axis, one, other in pairs]
    return []
