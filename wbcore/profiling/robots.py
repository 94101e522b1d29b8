"""Spans around what robots and their devices do in each step."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from wbcore.devices import Device
from wbcore.devices.image_device import ImageDevice
from wbcore.devices.sensor import Sensor
from wbcore.robots.robots import Robots, StepCalls

if TYPE_CHECKING:
    from wbcore.profiling.spans import Spans
    from wbcore.robots.robot import Robot
    from wbcore.simulation import Simulation

__all__ = ["RobotSpans", "replace", "row_of"]

SAMPLING = "sampling"
"""The row of what a robot's sampling takes beside the sensors."""


class RobotSpans:
    """Measures the devices and parts of all robots, also of those added during a run."""

    def __init__(self, spans: Spans) -> None:
        self._spans = spans
        self._known: set[object] = set()

    def watch(self, simulation: Simulation) -> None:
        """Measure the robots of a simulation."""
        robots = simulation.robots

        def collected(calls: StepCalls) -> StepCalls:
            # This is the place to find new devices: their robot's calls are collected again.
            for robot in robots.list:
                self._watch_robot(robot)
            self._watch_shared(robots)
            return StepCalls(*([self._step_call(one) for one in part] for part in calls))

        robots.on_step_calls = collected
        robots.forget_step_calls()

    def _watch_shared(self, robots: Robots) -> None:
        """Measure what all robots share, once there is any."""
        for one, name in ((robots.docks, "devices: Connector"), (robots.chargers, "chargers")):
            if one.are_there and one not in self._known:
                self._known.add(one)
                replace(one, "before_step", self._timed(name, one.before_step))

    def _watch_robot(self, robot: Robot) -> None:
        if robot not in self._known:
            self._known.add(robot)
            replace(robot, "sample", self._timed(SAMPLING, robot.sample))
        for device in robot.devices:
            if isinstance(device, Sensor) and device not in self._known:
                self._known.add(device)
                replace(device, "measure", self._timed(row_of(device), device.measure))
                if type(device).sample is not Sensor.sample:
                    replace(device, "sample", self._timed(row_of(device), device.sample))

    def _step_call(self, call: Callable[[], None]) -> Callable[[], None]:
        owner = getattr(call, "__self__", None)
        if isinstance(owner, Device):
            return self._timed(row_of(owner), call)
        return self._timed(f"robots: {type(owner).__name__}", call)

    def _timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        return self._spans.timed(self._spans.row(name), function)


def row_of(device: Device) -> str:
    """Return the name of the row of a device's kind."""
    kind = "pictures" if isinstance(device, ImageDevice) else "sensors" if isinstance(device, Sensor) else ""
    return f"{kind or 'devices'}: {device.entry.type}"


def replace(owner: object, name: str, function: Callable[..., Any]) -> None:
    """Replace a method of a single object."""
    setattr(owner, name, function)
