"""Sensors that the engine reads together, and the answer that contains only their values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from hal.protocol.packet import write_answer
from wbcore.devices.sensor import SLACK_MS, Sensor
from wbcore.engine import _engine

if TYPE_CHECKING:
    from hal.protocol.layout import Layout
__all__ = ["BatchReadings", "batched"]


class BatchReadings:
    """Sensors with one value each and the same sampling times, which the engine reads together."""

    def __init__(self, sensors: list[Sensor], readings: _engine.Readings) -> None:
        """
        Args:
            sensors: sensors with the same sampling period and the same last sample.
            readings: what they have joined, in the same order.
        """
        self.sensors = sensors
        self.readings = readings
        self.period, self.last = sensors[0].sampling.period, sensors[0].sampling.last
        self.waits = False
        """Whether the newest values are pending for the next answer."""
        self._has_values = False
        """True if the engine has read the newest values."""
        self._has_frame = False

    def sample(self, now: float, newest: dict[int, tuple[Any, ...]]) -> None:
        """Sample if due at `now` (ms); store values that the engine cannot read in `newest`, by tag."""
        since = now - self.last
        if since < self.period - SLACK_MS:
            return
        self.last = now
        self.waits = self._has_values = self.readings.read()
        if not self.waits:
            for sensor in self.sensors:
                values = sensor.measure(since / 1000)
                if values is not None:
                    newest[sensor.tag] = values

    def set_frame(self, messages: Iterable[tuple[bytes, Layout]]) -> None:
        """Let `packet` write these messages: the time, then each sensor's; each holds one number."""
        out, places = bytearray(), []
        for head, layout in messages:
            if layout.flat != "d":
                return
            out += head
            places.append(len(out))
            out += bytes(layout.least)
        self._has_frame = True
        packet = write_answer(0, bytes(out))
        front = len(packet) - len(out)
        self.readings.set_frame(packet, [front + place for place in places])

    def packet(self, seconds: float) -> bytes | None:
        """Return the answer for a local connection with the time (s) and the pending values, or None."""
        if not self._has_frame:
            return None
        self.waits = False
        return self.readings.packet(seconds)

    def take(self) -> Iterator[tuple[int, tuple[float]]]:
        """Yield the pending values by tag and clear them."""
        if self.waits:
            self.waits = False
            for sensor, value in zip(self.sensors, self.readings.values, strict=True):
                yield sensor.tag, (value,)

    def latest(self) -> Iterator[tuple[int, tuple[float]]]:
        """Yield the newest values by tag, pending or not; none if the engine has not read them."""
        if self._has_values:
            for sensor, value in zip(self.sensors, self.readings.values, strict=True):
                yield sensor.tag, (value,)

    def part(self) -> None:
        """Dissolve the batch: each sensor samples by itself again."""
        for sensor in self.sensors:
            sensor.sampling.last = self.last


def batched(sensors: Iterable[Sensor]) -> list[BatchReadings]:
    """Group the sensors that the engine can read by sampling times."""
    groups: dict[tuple[int, float], tuple[list[Sensor], _engine.Readings]] = {}
    for one in sensors:
        key = one.sampling.period, one.sampling.last
        members, readings = groups.setdefault(key, ([], _engine.Readings()))
        if one.join(readings):
            members.append(one)
    return [BatchReadings(members, readings) for members, readings in groups.values() if members]
