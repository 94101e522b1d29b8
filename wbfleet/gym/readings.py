"""The observations of a robot: the numbers of its sensors."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wbridge.wbcore.devices.motor import Motor
from wbridge.wbfleet.gym.choice import UnknownDevice, matching
from wbridge.wbfleet.gym.measurements import (
    bounds_of,
    measurement_of,
    narrowed,
    outside_of_observations,
    sample_of,
)

if TYPE_CHECKING:
    from wbridge.wbcore.robots.robot import Robot
    from wbridge.wbcore.robots.sample_pass import SamplePass

__all__ = ["Readings"]

_LOG = logging.getLogger(__name__)


class Readings:
    """The sensors of a robot that observations contain."""

    def __init__(self, robot: Robot, patterns: Sequence[str] | None, period_ms: int) -> None:
        """
        Args:
            robot: the robot.
            patterns: names of sensors, or patterns; None: all sensors whose samples are numbers.
            period_ms: the time between two observations.

        Raises:
            UnknownDevice: a pattern matches no sensor whose samples are numbers.
            TypeError: `patterns` is a single name.
        """
        if isinstance(patterns, str):  # each of its letters would be a name
            raise TypeError(f"observations: expected a list of sensor names, as in {[patterns]}, not a text")
        self._robot, self._period = robot, period_ms
        measured = [measurement_of(device) for device in robot.devices if not isinstance(device, Motor)]
        usable = [measurement for measurement in measured if measurement is not None]
        self.left_out = {
            device.name: why for device in robot.devices if (why := outside_of_observations(device))
        }
        """Sensors without a place in observations, with the reason."""
        if patterns is not None:
            usable = [
                usable[place]
                for place in self._chosen(patterns, [measurement.sensor.name for measurement in usable])
            ]
        elif self.left_out:
            listed = "; ".join(f'"{name}": {why}' for name, why in self.left_out.items())
            _LOG.info('robot "%s": observations do not have %s', robot.name, listed)
        self._measurements = usable
        self._sensors = [measurement.sensor for measurement in usable]
        self.names = tuple(name for measurement in usable for name in measurement.names)
        """Names of the numbers in an observation: SENSOR, SENSOR.x, SENSOR.VALUE.x and so on."""
        self.sources = tuple(
            (measurement.sensor.name, measurement.sensor.entry.type, index)
            for measurement in usable
            for index in range(len(measurement.names))
        )
        """Of each number: the name and type of its sensor, and which of its numbers it is."""
        self.low, self.high = bounds_of(usable)

    def _chosen(self, patterns: Sequence[str], names: Sequence[str]) -> list[int]:
        chosen: set[int] = set()
        for pattern in patterns:
            try:
                chosen.update(matching(pattern, names, self._robot.name, "numeric sensor"))
            except UnknownDevice as problem:
                why = self.left_out.get(pattern)
                raise UnknownDevice(f"{problem}; {why}" if why else str(problem)) from None
        return sorted(chosen)

    def begin(self) -> None:
        """Enable the sensors; the first sample is due one period from now."""
        for sensor in self._sensors:
            sensor.on_enable(self._period)

    def first(self) -> NDArray[np.float32]:
        """Measure now, before the first step of an episode."""
        return self._observation(sensor.measure(0.0) for sensor in self._sensors)

    def native(self) -> SamplePass | None:
        """Return the pass of the engine over these sensors; None if the engine does not measure them all."""
        found = self._robot.samples.single_pass
        return found if found is not None and found.sensors == self._sensors else None

    def read(self) -> NDArray[np.float32]:
        """Return the newest samples, shape (len(names),), clipped to `low` and `high`; 0 for what a sensor
        could not measure."""
        newest = self._robot.samples.newest()
        return self._observation(newest.get(sensor.tag) or sample_of(sensor) for sensor in self._sensors)

    def _observation(self, samples: Iterable[Sequence[object] | None]) -> NDArray[np.float32]:
        numbers: list[float] = []
        for measurement, sample in zip(self._measurements, samples, strict=True):
            numbers += measurement.numbers(sample)
        return np.clip(narrowed(numbers), self.low, self.high)
