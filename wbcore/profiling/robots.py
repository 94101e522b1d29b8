"""Spans around what robots and their devices do in each step."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from wbridge.wbcore.devices import Device
from wbridge.wbcore.devices.image_device import ImageDevice
from wbridge.wbcore.devices.sensor import Sensor
from wbridge.wbcore.engine import _engine
from wbridge.wbcore.profiling.spans import Row, Spans, replace
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbcore.robots.robots import Robots
from wbridge.wbcore.robots.sample_pass import SamplePass
from wbridge.wbcore.robots.step_calls import StepCalls
from wbridge.wbcore.simulation import Simulation

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
            return StepCalls(*([self._step_call(call) for call in part] for part in calls))

        robots.on_step_calls = collected
        robots.forget_step_calls()

    def _watch_shared(self, robots: Robots) -> None:
        """Measure what all robots share, once there is any."""
        for piece, name in ((robots.docks, "devices: Connector"), (robots.chargers, "chargers")):
            if piece.are_there and piece not in self._known:
                self._known.add(piece)
                replace(piece, "before_step", self._timed(name, piece.before_step))

    def _watch_robot(self, robot: Robot) -> None:
        if robot not in self._known:
            self._known.add(robot)
            replace(robot, "sample", self._timed(SAMPLING, robot.sample))
            robot.samples.make_pass = partial(TimedPass, self._spans)
        for device in robot.devices:
            if isinstance(device, Sensor) and device not in self._known:
                self._known.add(device)
                # A sensor with its own way of sampling may measure several things in one sample.
                is_plain = type(device).sample is Sensor.sample
                name = "measure" if is_plain else "sample"
                replace(device, name, self._timed(row_of(device), getattr(device, name)))

    def _step_call(self, call: Callable[[], None]) -> Callable[[], None]:
        owner = getattr(call, "__self__", None)
        if isinstance(owner, Device):
            return self._timed(row_of(owner), call)
        return self._timed(f"robots: {type(owner).__name__}", call)

    def _timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        return self._spans.timed(self._spans.row(name), function)


class TimedPass(SamplePass):
    """A pass of the engine whose time counts for the sensors in it."""

    def __init__(self, spans: Spans, time_head: bytes) -> None:
        super().__init__(time_head)
        self._spans = spans
        self._rows: list[Row] = []
        self.sample = self._sample

    def add(self, sensor: Sensor, source: _engine.Source, head: bytes) -> None:
        """Add a sensor, see SamplePass."""
        super().add(sensor, source, head)
        self._rows.append(self._spans.row(row_of(sensor)))

    def _sample(self, now: float) -> bool:
        spans = self._spans
        begin = spans.now()
        times = self.native.sample_timed(now)
        if times is None:
            return False
        for row, time_ns in zip(self._rows, times, strict=True):
            if time_ns >= 0:
                spans.move(row, begin, time_ns)
                begin += time_ns  # the engine measures one after the other
        return True


def row_of(device: Device) -> str:
    """Return the name of the row of a device's kind."""
    kind = "pictures" if isinstance(device, ImageDevice) else "devices"
    return f"{kind}: {device.entry.type}"
