"""How the samples of a sensor become a fixed number of numbers, with their names and bounds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wbridge.wbcore.devices.camera import Camera
from wbridge.wbcore.devices.connector import Connector
from wbridge.wbcore.devices.radar import Echo, Radar
from wbridge.wbcore.devices.range_device import RangeDevice
from wbridge.wbcore.devices.sensor import Sensor
from wbridge.wbcore.devices.vacuum_gripper import VacuumGripper
from wbridge.wbcore.robots.sample_names import sample_names

if TYPE_CHECKING:
    from wbridge.wbcore.devices.device import Device

TARGETS = 8
"""How many of a radar's targets an observation has: the nearest; the rows of missing ones are 0."""
LARGEST = float(np.finfo(np.float32).max)
RANGES: dict[type[Sensor], tuple[float, float]] = {Connector: (-1, 1), VacuumGripper: (0, 1)}
"""Bounds that follow from the kind of a sensor: presence of a partner, or of a held solid."""


class Measurement(NamedTuple):
    """A sensor whose samples become numbers."""

    sensor: Sensor
    names: tuple[str, ...]
    low: float
    high: float

    def numbers(self, sample: Sequence[Any] | None) -> list[float]:
        """Return one number for each name; 0 without a sample."""
        if not sample:
            return [0.0] * len(self.names)
        if isinstance(self.sensor, Radar):
            sample = sorted(sample[0], key=lambda target: float(target[0]))[:TARGETS]
        numbers = _flat(sample)
        return numbers + [0.0] * (len(self.names) - len(numbers))


def measurement_of(sensor: Device) -> Measurement | None:
    """Return how a sensor is observed; None for other devices, and samples without a fixed size."""
    if not isinstance(sensor, Sensor) or type(sensor).sample is not Sensor.sample:
        return None
    names = _target_names(sensor) if isinstance(sensor, Radar) else sample_names(sensor)
    return Measurement(sensor, names, *_bounds(sensor)) if names else None


def outside_of_observations(device: Device) -> str:
    """Return why an observation cannot have a sensor, and where its samples are; "" for other devices."""
    if isinstance(device, Camera | RangeDevice):
        return "wbridge.wbfleet.gym.picture_env.PictureEnv adds its pictures"
    if device.entry.type in ("Receiver", "Radio"):
        return "packets have any number and content; read them in the task"
    if device.entry.type == "Microphone":
        return "sound is read in the task"
    return ""


def sample_of(sensor: Sensor) -> tuple[Any, ...] | None:
    """Return the newest sample of a sensor that waits among its messages; None if there is none."""
    return next((values for code, values in sensor.outbox if code == sensor.message_code), None)


def narrowed(numbers: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float32]:
    """Return samples as 32 bits wide, finite numbers; NaN becomes 0."""
    wide = np.asarray(numbers, np.float64)
    if np.isnan(wide).any():
        wide = np.where(np.isnan(wide), 0.0, wide)
    return np.minimum(np.maximum(wide, -LARGEST), LARGEST).astype(np.float32)


def bounds_of(measurements: Sequence[Measurement]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the lower and the upper bounds of all numbers; infinite where there is none."""
    pairs = [(measurement.low, measurement.high) for measurement in measurements for _ in measurement.names]
    wide = np.array(pairs, np.float64).reshape(-1, 2)
    narrow = np.where(np.isinf(wide), wide, narrowed(wide)).astype(np.float32)
    return narrow[:, 0].copy(), narrow[:, 1].copy()


def _target_names(radar: Radar) -> tuple[str, ...]:
    return tuple(f"{radar.name}.{place}.{field}" for place in range(TARGETS) for field in Echo._fields)


def _bounds(sensor: Sensor) -> tuple[float, float]:
    constants = sensor.entry.constants
    if "minValue" in constants and "maxValue" in constants:
        return float(constants["minValue"]), float(constants["maxValue"])
    return RANGES.get(type(sensor), (-math.inf, math.inf))


def _flat(values: Sequence[Any]) -> list[float]:
    """Return the numbers of nested tuples in order."""
    numbers: list[float] = []
    for value in values:
        if isinstance(value, tuple | list):
            numbers += _flat(value)
        else:
            numbers.append(float(value))
    return numbers
