"""Sensors that a script reads: the newest sample of each, in an array for all of a robot.

The first request for a sensor enables it. As for controllers, its first sample is taken one sampling period
later; until then it is NaN. Units and axes are those of the manual's chapter on each device.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wbridge.api.vectors import real
from wbridge.wbcore.devices.sensor import Sensor as Device
from wbridge.wbcore.engine import _engine


class Sensor(_engine.SensorCell):
    """A sensor. `value` is its newest sample: a number (float), or an array for several; NaN before the first
    one."""

    __slots__ = ("device", "numbers")

    device: Device
    """The simulated device."""
    numbers: NDArray[np.float64]
    """(n,) view of the newest sample, without a copy: it follows the simulation."""

    def __init__(self, device: Device, numbers: NDArray[np.float64]) -> None:
        self.device = device
        self.move_to(numbers)

    def move_to(self, numbers: NDArray[np.float64]) -> None:
        """Keep the numbers in another place from now on."""
        self.numbers = numbers
        self.attach(numbers)

    def __repr__(self) -> str:
        return f'<Sensor "{self.name}" ({self.device.entry.type}) of robot "{self.device.robot.name}">'

    def _copy(self) -> NDArray[np.float64]:
        return np.array(self.numbers)

    @property
    def name(self) -> str:
        """The field `name`."""
        return self.device.name

    @property
    def period(self) -> int:
        """Sampling period (ms); 0: off. Setting it begins a new period, as `enable` of a controller."""
        return self.device.sampling.period

    @period.setter
    def period(self, value: int) -> None:
        """Begin a new period, as `enable` of a controller."""
        self.device.on_enable(period_of(value, f'sensor "{self.name}"'))

    def measure(self) -> float | NDArray[np.float64]:
        """Measure now, besides the regular samples; it may draw random numbers for the noise."""
        sample = self.device.measure(0.0)
        numbers = np.array(flat(sample or ()), np.float64)
        return float(numbers[0]) if len(numbers) == 1 else numbers


class Sensors(Mapping[str, Sensor]):
    """All sensors of a robot whose samples are numbers, by name. Looking one up does not enable it."""

    def __init__(
        self, sensors: Mapping[str, Sensor], numbers: NDArray[np.float64], names: tuple[str, ...]
    ) -> None:
        self._sensors = dict(sensors)
        self.numbers = numbers
        """(n,) view of the newest samples of all sensors, without a copy; NaN for those that are off."""
        self.names = names
        """What the numbers are: SENSOR, SENSOR.x, SENSOR.VALUE or SENSOR.VALUE.x."""

    def __getitem__(self, name: str) -> Sensor:
        return self._sensors[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._sensors)

    def __len__(self) -> int:
        return len(self._sensors)

    def enable(self, period: int) -> None:
        """Enable all of them with a sampling period (ms); 0 disables them."""
        for sensor in self._sensors.values():
            sensor.period = period


def period_of(value: int, sensor: str) -> int:
    """Return a sampling period (ms) that a script passed.

    Args:
        value: the period.
        sensor: whose it is, for the message.

    Raises:
        ValueError: it is not possible.
    """
    allowed = "whole milliseconds, 0 or more"
    return int(real(value, f"{sensor}: period", allowed, lambda ms: ms >= 0 and ms.is_integer()))


def flat(values: Any) -> list[float]:
    """Return the numbers of nested tuples in order."""
    numbers: list[float] = []
    for value in values:
        numbers += flat(value) if isinstance(value, tuple | list) else [float(value)]
    return numbers
