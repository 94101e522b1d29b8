"""The observations of a robot: the numbers of its sensors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wbcore.devices.motor import Motor
from wbcore.devices.sensor import Sensor
from wbcore.robots.samples import numbers_of
from wbfleet.gym.choice import matching

if TYPE_CHECKING:
    from wbcore.robots.robot import Robot
    from wbcore.robots.sample_pass import SamplePass

__all__ = ["Readings"]

AXES = {3: ("x", "y", "z"), 4: ("x", "y", "z", "w")}
"""Names of the parts of a reading, by their number: a vector, a quaternion."""


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
        """
        self._robot, self._period = robot, period_ms
        usable = [one for one in robot.devices if isinstance(one, Sensor) and not isinstance(one, Motor)]
        sensors = [one for one in usable if numbers_of(one) is not None]
        names = [one.name for one in sensors]
        if patterns is not None:
            chosen = {i for each in patterns for i in matching(each, names, robot.name, "numeric sensor")}
            sensors = [sensors[place] for place in sorted(chosen)]
        self._sensors = sensors
        self.names = tuple(name for one in sensors for name in _names(one))
        """Names of the numbers in an observation: SENSOR, or SENSOR.x and so on."""
        bounds = np.array([_bounds(one) for one in sensors for _ in _names(one)], np.float32).reshape(-1, 2)
        self.low, self.high = bounds[:, 0].copy(), bounds[:, 1].copy()

    def begin(self) -> None:
        """Enable the sensors; the first sample is due one period from now."""
        for one in self._sensors:
            one.on_enable(self._period)

    def first(self) -> NDArray[np.float32]:
        """Measure now, before the first step of an episode."""
        return self._made(one.measure(0.0) or () for one in self._sensors)

    def native(self) -> SamplePass | None:
        """Return the pass of the engine over these sensors; None if the engine does not measure them all."""
        found = self._robot.samples.single_pass
        return found if found is not None and found.sensors == self._sensors else None

    def clipped(self, numbers: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return samples of many copies, one row for each, as observations."""
        found = np.nan_to_num(numbers.astype(np.float32), nan=0.0, copy=False)
        return np.clip(found, self.low, self.high, out=found)

    def read(self) -> NDArray[np.float32]:
        """Return the newest samples, shape (len(names),), clipped to `low` and `high`; 0 for what a sensor
        could not measure."""
        newest = self._robot.samples.newest()
        return self._made(newest.get(one.tag, ()) for one in self._sensors)

    def _made(self, samples: Iterable[Sequence[float]]) -> NDArray[np.float32]:
        numbers: list[float] = []
        for sensor, sample in zip(self._sensors, samples, strict=True):
            numbers += sample or (0.0,) * (numbers_of(sensor) or 0)
        found = np.nan_to_num(np.array(numbers, np.float32), nan=0.0)
        return np.clip(found, self.low, self.high)


def _names(sensor: Sensor) -> list[str]:
    count = numbers_of(sensor) or 0
    if count == 1:
        return [sensor.name]
    return [f"{sensor.name}.{one}" for one in AXES.get(count, range(count))]


def _bounds(sensor: Sensor) -> tuple[float, float]:
    constants = sensor.entry.constants
    if "minValue" in constants and "maxValue" in constants:
        return float(constants["minValue"]), float(constants["maxValue"])
    return -np.inf, np.inf
