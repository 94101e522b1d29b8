"""The enabled sensors of a robot: who measures when, and the newest values on their way to the controller.

Most sensors send one message of a fixed size. Their values are packed at once, as all answers to a
controller that has enabled the same sensors have the same shape (see hal.protocol.shape). Sensors that only
read a position are read together.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from hal.protocol.codec import HEAD
from hal.protocol.layout import Layout
from hal.protocol.shape import Shape
from wbcore.devices.sensor import SLACK_MS, HasPosition, Sampling, Sensor

if TYPE_CHECKING:
    from typing import TypeAlias

    from wbcore.robots.robot import Robot

    Task: TypeAlias = tuple[Sampling | None, Sensor, int]
    """When to measure (None: the sensor knows), the sensor, and its tag."""

__all__ = ["Samples"]

MOST = 64
"""Shapes that are kept; who enables other sensors in each step must not fill the memory."""


class Gauges:
    """Sensors whose values are positions in the engine, and which measure at the same times."""

    def __init__(self, sensors: list[tuple[Sensor, HasPosition]]) -> None:
        self._samplings = [sensor.sampling for sensor, _ in sensors]
        self._places = [place for _, place in sensors]
        self.tags = tuple([sensor.tag for sensor, _ in sensors])
        self.period, self.last = self._samplings[0].period, self._samplings[0].last
        self.values: list[float] = []
        """The newest ones, if they wait for an answer."""

    def sample(self, now: float) -> None:
        """Measure if it is time (ms)."""
        if now - self.last >= self.period - SLACK_MS:
            self.last = now
            self.values = [one.position for one in self._places]

    def part(self) -> None:
        """Each sensor is on its own again."""
        for one in self._samplings:
            one.last = self.last


class Samples:
    """Samples the sensors of a robot that are enabled, and writes their newest values."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        self._physics = robot.simulation.physics
        self._sensors: dict[int, Sensor] = {}
        self._is_planned = self._is_remote = False
        self._structure = -1
        self._tasks: list[Task] = []
        self._gauges: Gauges | None = None
        self._newest: dict[int, tuple[Any, ...]] = {}
        """Values of samples, by tag, that wait for the next answer."""
        self._shapes: dict[tuple[int, ...], tuple[Shape, list[int] | None]] = {}

    def listen(self, sensor: Sensor, on: bool) -> None:
        """A sensor was enabled or disabled."""
        self._unplan()
        if on:
            self._sensors[sensor.tag] = sensor
            self._sensors = dict(sorted(self._sensors.items()))
        else:
            self._sensors.pop(sensor.tag, None)

    def clear(self) -> None:
        """No sensor is enabled, and nothing waits."""
        self.drop()
        self._sensors.clear()

    def drop(self) -> None:
        """Nothing waits any more; the sensors may be given other times."""
        self._unplan()
        self._newest.clear()

    def forget(self) -> None:
        """Devices or the dialect have changed."""
        self.spread()
        self._unplan()
        self._shapes.clear()

    # Measuring.

    def sample(self, now: float) -> None:
        """Let the sensors measure that are due at this time (ms), in the order of their tags."""
        if not self._is_planned or self._structure != self._physics.structure:
            self._plan()
        if self._is_remote is not self._robot.is_remote:
            self._plan()
        if self._gauges is not None:
            self._gauges.sample(now)
        newest = self._newest
        for sampling, sensor, tag in self._tasks:
            if sampling is None:
                sensor.sample(now)
                continue
            since = now - sampling.last
            if since >= sampling.period - SLACK_MS:
                sampling.last = now
                values = sensor.measure(since / 1000)
                if values is not None:
                    newest[tag] = values

    def _unplan(self) -> None:
        """The next sample needs a new plan."""
        if self._gauges is not None:
            self._take_gauges(self._gauges)
            self._gauges.part()
            self._gauges = None
        self._is_planned = False

    def _plan(self) -> None:
        self._unplan()
        self._is_planned, self._structure = True, self._physics.structure
        self._is_remote = self._robot.is_remote
        sensors = [one for one in self._sensors.values() if not self._is_remote or one.WORKS_REMOTELY]
        plain = [one for one in sensors if _is_plain(one)]
        gauges = [(one, place) for one in plain if (place := one.gauge()) is not None]
        gauges = [(one, place) for one, place in gauges if _same_times(one, gauges[0][0])]
        self._gauges = Gauges(gauges) if gauges else None
        together = {one for one, _ in gauges}
        self._tasks = [
            (one.sampling if one in plain else None, one, one.tag) for one in sensors if one not in together
        ]

    # Telling.

    @property
    def waits(self) -> bool:
        """True when there are values to be written."""
        return bool(self._newest) or (self._gauges is not None and bool(self._gauges.values))

    def write(self, time: tuple[float, ...]) -> bytes | None:
        """The values that wait, behind the time (s) if it is given; None when they cannot be written."""
        gauges, newest = self._gauges, self._newest
        if self._robot.heard is not None:
            self._robot.heard.newest.update(newest)
            if gauges is not None:
                self._robot.heard.note(gauges.tags, gauges.values)
        if gauges is not None and gauges.values:
            if not newest:
                shape, _ = self._shape((len(time), *gauges.tags))
                try:
                    data = shape.write_single([*time, *gauges.values])
                except struct.error:
                    return None
                gauges.values = []
                return data
            self._take_gauges(gauges)
        shape, order = self._shape((len(time), *newest))
        values = newest.values() if order is None else [newest[one] for one in order]
        try:
            if shape.is_single:
                data = shape.write_single([*time, *[number for (number,) in values]])
            else:
                data = shape.write([time, *values] if time else [*values])
        except (struct.error, ValueError, TypeError):
            return None  # whoever writes them one by one says what is wrong
        newest.clear()
        return data

    def spread(self) -> None:
        """Give the values that wait to their devices, to go with their other messages."""
        if self._gauges is not None:
            self._take_gauges(self._gauges)
        for tag in sorted(self._newest):
            sensor = self._sensor(tag)
            sensor.tell_newest(sensor.MESSAGE, *self._newest[tag])
        self._newest.clear()

    def _take_gauges(self, gauges: Gauges) -> None:
        values, gauges.values = gauges.values, []
        for tag, value in zip(gauges.tags, values, strict=False):  # there are none or all
            self._newest[tag] = (value,)

    def _shape(self, key: tuple[int, ...]) -> tuple[Shape, list[int] | None]:
        """The shape of an answer: whether the time is in it, and tags in the order of the values; and the
        order of the messages, where it is another."""
        found = self._shapes.get(key)
        if found is None:
            if len(self._shapes) >= MOST:
                self._shapes.clear()
            found = self._shapes[key] = self._make_shape(key[0], list(key[1:]))
        return found

    def _make_shape(self, has_time: int, tags: list[int]) -> tuple[Shape, list[int] | None]:
        codec = self._robot.codec
        parts: list[tuple[bytes, Layout]] = []
        if has_time:
            code = codec.message_codes["time"]
            parts.append((HEAD.pack(0, code), codec.messages[code].layout))
        order = sorted(tags)
        for tag in order:
            sensor = self._sensor(tag)
            assert sensor.codec is not None, "only sensors with a codec are sampled here"
            code = sensor.codec.message_codes[sensor.MESSAGE]
            parts.append((HEAD.pack(tag, code), sensor.codec.messages[code].layout))
        return Shape(parts), None if order == tags else order

    def _sensor(self, tag: int) -> Sensor:
        device = self._robot.devices[tag - 1]
        assert isinstance(device, Sensor), "only sensors are sampled"
        return device


def _is_plain(sensor: Sensor) -> bool:
    """True for a kind that samples like most, and whose samples have a fixed size."""
    if type(sensor).sample is not Sensor.sample or sensor.codec is None:
        return False
    code = sensor.codec.message_codes.get(sensor.MESSAGE)
    return code is not None and sensor.codec.messages[code].layout.flat is not None


def _same_times(one: Sensor, other: Sensor) -> bool:
    return one.sampling.period == other.sampling.period and one.sampling.last == other.sampling.last
