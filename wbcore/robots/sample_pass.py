"""Sensors that the engine samples together, and the answer that contains only their values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from wbridge.wbcore.engine import _engine

if TYPE_CHECKING:
    from wbridge.wbcore.devices.sensor import Sensor


class SamplePass:
    """Sensors with successive tags that the engine samples in one call."""

    def __init__(self, time_head: bytes) -> None:
        """
        Args:
            time_head: the bytes before the time in an answer.
        """
        self.sensors: list[Sensor] = []
        self.native = _engine.SamplePass()
        self.native.set_time_head(time_head)
        self.sample = self.native.sample
        """Sample what is due (ms); False, without any effect, if a due sensor has changed."""

    def add(self, sensor: Sensor, source: _engine.Source, head: bytes) -> None:
        """Add a sensor with its measurement and the bytes before its numbers in an answer."""
        self.sensors.append(sensor)
        self.native.add(source, head, sensor.sampling.period, sensor.sampling.last)

    @property
    def waits(self) -> bool:
        """Whether values are pending for the next answer."""
        return self.native.waits

    def packet(self, seconds: float) -> bytes:
        """Return the answer for a local connection with the time (s) and the pending values."""
        return self.native.packet(seconds)

    def take(self) -> Iterator[tuple[int, tuple[object, ...]]]:
        """Yield the pending values by tag; they are not pending any more."""
        for index, values in self.native.take():
            yield self.sensors[index].tag, values

    def latest(self) -> Iterator[tuple[int, tuple[object, ...]]]:
        """Yield the newest values by tag, pending or not."""
        for index, values in self.native.latest():
            yield self.sensors[index].tag, values

    def part(self) -> None:
        """Dissolve the pass: each sensor has its own sampling time again."""
        for sensor, last in zip(self.sensors, self.native.lasts, strict=True):
            sensor.sampling.last = last
